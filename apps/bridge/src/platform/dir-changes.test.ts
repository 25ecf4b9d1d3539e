import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type BytePath, bytePathOf, ROOT_PATH } from './byte-path.ts';
import { type DirChanges, watchDirChanges } from './dir-changes.ts';

interface Bench extends Disposable {
  readonly path: (name: string) => string;
  readonly cookies: string;
  readonly changes: DirChanges;
}

const openBench = (): Bench => {
  const base = mkdtempSync(join(tmpdir(), 'skein-dir-changes-'));
  const [root, cookies] = [join(base, 'root'), join(base, 'cookies')];
  mkdirSync(root);
  const changes = watchDirChanges(bytePathOf(root), cookies);
  if (changes === null) throw new Error('This system cannot be watched.');
  changes.add(ROOT_PATH);
  return {
    path: (name) => join(root, name),
    cookies,
    changes,
    [Symbol.dispose]() {
      changes.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
};

const drained = async ({ changes }: Bench): Promise<Record<string, string[]> | 'lost'> => {
  const found = await changes.drain();
  if (found === 'lost') return found;
  return Object.fromEntries([...found].map(([folder, names]) => [folder, [...names].sort()]));
};

const D = 'd' as BytePath;

test.runIf(process.platform === 'linux')(
  'a drain tells of everything that was written before it',
  async () => {
    using bench = openBench();
    for (let at = 0; at < 20; at += 1) {
      writeFileSync(bench.path(`f${at}`), String(at));
      expect(await drained(bench)).toEqual({ '': [`f${at}`] });
    }
    expect(await drained(bench)).toEqual({});
  },
);

test.runIf(process.platform === 'linux')('names are bytes', async () => {
  using bench = openBench();
  writeFileSync(Buffer.concat([Buffer.from(`${bench.path('')}/`), Buffer.from([0xff])]), '');
  expect(await drained(bench)).toEqual({ '': ['\xff'] });
});

test.runIf(process.platform === 'linux')(
  'a folder made again is watched when it is added again',
  async () => {
    using bench = openBench();
    mkdirSync(bench.path('d'));
    expect(bench.changes.add(D)).toBe(true);
    rmSync(bench.path('d'), { recursive: true });
    mkdirSync(bench.path('d'));
    bench.changes.add(D);
    await bench.changes.drain();
    writeFileSync(bench.path('d/f'), '');
    expect(await drained(bench)).toEqual({ d: ['f'] });
  },
);

test.runIf(process.platform === 'linux')('adding a folder that is watched loses nothing', async () => {
  using bench = openBench();
  mkdirSync(bench.path('d'));
  bench.changes.add(D);
  await bench.changes.drain();
  writeFileSync(bench.path('d/before'), '');
  renameSync(bench.path('d'), bench.path('e'));
  bench.changes.add('e' as BytePath);
  bench.changes.remove(D);
  writeFileSync(bench.path('e/after'), '');
  expect(await drained(bench)).toMatchObject({ e: expect.arrayContaining(['after']) });
  expect(bench.changes.count()).toBe(2);
});

test.runIf(process.platform === 'linux')('a folder that is gone is no reason to stop watching', () => {
  using bench = openBench();
  expect(bench.changes.add('nowhere' as BytePath)).toBe(true);
  expect(bench.changes.has('nowhere' as BytePath)).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'without its cookies it says lost, and goes on with new ones',
  async () => {
    using bench = openBench();
    rmSync(bench.cookies, { recursive: true });
    writeFileSync(bench.path('a'), '');
    expect(await drained(bench)).toBe('lost');
    writeFileSync(bench.path('b'), '');
    expect(await drained(bench)).toMatchObject({ '': expect.arrayContaining(['b']) });
  },
);

test.runIf(process.platform === 'linux')(
  'more events than the system keeps are lost, and said to be',
  async () => {
    using bench = openBench();
    for (let at = 0; at < 20_000; at += 1) writeFileSync(bench.path(`f${at}`), '');
    expect(await drained(bench)).toBe('lost');
  },
);

import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeDirOf } from '../../src/snapshots/trees/store-dir.ts';
import { collectGarbage } from '../../src/snapshots/trees/upkeep.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

const DAY = 86_400_000;

const withFiles = async (bench: TreeBench): Promise<string> => {
  mkdirSync(bench.path('d/e'), { recursive: true });
  for (const name of ['a', 'd/b', 'd/e/c']) writeFileSync(bench.path(name), name);
  await bench.capture();
  return join(bench.dataDir, 'snapshots/repos', `${(await bench.tree()).key}.git`);
};

/** The capture is right and the store has every object of it. */
const expectWhole = async (bench: TreeBench): Promise<void> => {
  const capture = await bench.capture();
  expect(capture.tree).toBe(bench.treeByGit());
  await bench.storeGit('rev-list', '--objects', '--quiet', capture.commit);
};

const onlyFile = (folder: string): string => {
  const [name, ...more] = readdirSync(folder);
  if (name === undefined || more.length > 0) throw new Error(`not one file: ${folder}`);
  return join(folder, name);
};

test('a cache is used: nothing new is written for what is known', async () => {
  await using bench = await createTreeBench();
  const store = await withFiles(bench);
  const packs = readdirSync(join(store, 'objects/pack'));
  await bench.reopen();
  await bench.capture();
  expect(readdirSync(join(store, 'objects/pack'))).toEqual(packs);
});

test.each([0, 4, 5, 100, 'append' as const])('a damaged cache (%s) is no cache', async (damage) => {
  await using bench = await createTreeBench();
  const store = await withFiles(bench);
  await bench.reopen();
  const cache = onlyFile(join(store, 'caches'));
  const bytes = readFileSync(cache);
  if (damage === 'append') appendFileSync(cache, 'x');
  else if (damage === 0) writeFileSync(cache, '');
  else
    writeFileSync(
      cache,
      Buffer.concat([bytes.subarray(0, damage), Buffer.from('!'), bytes.subarray(damage + 1)]),
    );
  appendFileSync(bench.path('a'), '+');
  await expectWhole(bench);
});

test('a cache of another folder is no cache', async () => {
  await using bench = await createTreeBench({ isRepo: false });
  const store = await withFiles(bench);
  const other = join(bench.home, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'mine'), 'mine');
  const opened = await bench.open(other);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  await opened.tree.capture();
  await bench.reopen();
  const otherCache = onlyFile(join(bench.dataDir, 'snapshots/repos', `${opened.tree.key}.git`, 'caches'));
  writeFileSync(onlyFile(join(store, 'caches')), readFileSync(otherCache));
  await expectWhole(bench);
});

test.each([{ isOpen: true }, { isOpen: false }])(
  'objects that are gone from the store are read anew (still open: $isOpen)',
  async ({ isOpen }) => {
    await using bench = await createTreeBench();
    const store = await withFiles(bench);
    writeFileSync(bench.path('later'), 'later');
    await bench.capture();
    if (!isOpen) await bench.reopen();
    const [pack] = readdirSync(join(store, 'objects/pack')).filter((name) => name.endsWith('.pack'));
    rmSync(join(store, 'objects/pack', pack ?? ''));
    await expectWhole(bench);
  },
);

test.each([{ isOpen: true }, { isOpen: false }])(
  'a store that lost every object is written anew, and its gc works again (still open: $isOpen)',
  async ({ isOpen }) => {
    await using bench = await createTreeBench();
    const store = await withFiles(bench);
    writeFileSync(bench.path('later'), 'later');
    await bench.capture();
    if (!isOpen) await bench.reopen();
    for (const name of readdirSync(join(store, 'objects/pack'))) rmSync(join(store, 'objects/pack', name));
    await expectWhole(bench);
    await collectGarbage(
      bench.git,
      storeDirOf(join(bench.dataDir, 'snapshots/repos'), (await bench.tree()).key),
      { nowMs: Date.now(), mayRepack: true },
    );
  },
);

test.each([{ isOpen: true }, { isOpen: false }])(
  'a store that git packed anew is trusted once git has found everything (still open: $isOpen)',
  async ({ isOpen }) => {
    await using bench = await createTreeBench();
    const store = await withFiles(bench);
    writeFileSync(bench.path('later'), 'later');
    const before = await bench.capture();
    if (!isOpen) await bench.reopen();
    await bench.storeGit('gc', '-q', '--prune=now');
    const packs = readdirSync(join(store, 'objects/pack'));
    expect((await bench.capture()).commit).toBe(before.commit);
    expect(readdirSync(join(store, 'objects/pack'))).toEqual(packs);
    await expectWhole(bench);
  },
);

test('a cache whose ref upkeep took away is not trusted', async () => {
  await using bench = await createTreeBench();
  const store = await withFiles(bench);
  await bench.reopen();
  rmSync(join(store, 'refs/skein/latest'), { recursive: true });
  await bench.storeGit('gc', '-q', '--prune=now');
  await expectWhole(bench);
});

test('a process that was idle for days asks whether its ref is still there', async () => {
  let now = Date.now();
  await using bench = await createTreeBench({ deps: { nowMs: () => now } });
  const store = await withFiles(bench);
  now += 3 * DAY;
  rmSync(join(store, 'refs/skein/latest'), { recursive: true });
  await bench.storeGit('gc', '-q', '--prune=now');
  await expectWhole(bench);
  now += 3 * DAY;
  await expectWhole(bench);
});

test('a store that was moved away while it was open is made again', async () => {
  await using bench = await createTreeBench({ deps: { watch: true } });
  const store = await withFiles(bench);
  await bench.capture();
  renameSync(store, `${store}.gone`);
  await expectWhole(bench);
  writeFileSync(bench.path('d/e/c'), 'changed');
  await expectWhole(bench);
  writeFileSync(bench.path('d/e/c'), 'changed again');
  const capture = await bench.capture();
  expect(capture.isFull).toBe(false);
  expect(capture.tree).toBe(bench.treeByGit());
});

import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { startChild } from '../../test/strands-children.ts';
import { answer, HEADER, mustOpen, openStore, prompt, strandBytes, tempDir } from '../../test/strands-kit.ts';
import type { StrandChange } from './seen-files.ts';
import { createStrandWatch } from './watch-strands.ts';

/** Collects what a store tells; `until` waits for one change. */
const listen = (watch: (listener: (change: StrandChange) => void) => () => void) => {
  const changes: StrandChange[] = [];
  let notify: () => void = () => undefined;
  const stop = watch((change) => {
    changes.push(change);
    notify();
  });
  const until = async (kind: StrandChange['kind'], id: string): Promise<void> => {
    while (!changes.some((change) => change.kind === kind && change.id === id)) {
      await new Promise<void>((resolve) => {
        notify = resolve;
      });
    }
  };
  return { changes, until, stop };
};

test('what another process writes is noticed: a new folder, a new strand, growth, and that it went', async () => {
  using dir = tempDir();
  await using reader = await openStore(dir.path);
  await using other = await openStore(dir.path);
  const heard = listen(reader.store.watch);
  const writer = await other.store.create({ ...HEADER, cwd: '/quite/new' });
  await heard.until('changed', writer.id);
  heard.changes.length = 0;
  await writer.append([prompt('more')]);
  await heard.until('changed', writer.id);
  await writer.close();
  rmSync(writer.file);
  await heard.until('gone', writer.id);
  const copy = writer.file.replace(writer.id, 'aaaaaaaaaaaa');
  writeFileSync(copy, strandBytes('aaaaaaaaaaaa', []));
  await heard.until('changed', 'aaaaaaaaaaaa');
  heard.stop();
});

test('a writer of this process is noticed too, many appends of a moment once or twice', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const { id } = await opened.store.create(HEADER).then(async (writer) => {
    await writer.close();
    return writer;
  });
  const heard = listen(opened.store.watch);
  const writer = await mustOpen(opened.store, id);
  await Promise.all(Array.from({ length: 100 }, (_, i) => writer.append([answer(`${i}`)])));
  await heard.until('changed', id);
  expect(heard.changes.length).toBeLessThan(20);
  heard.stop();
});

test('after the last listener stopped nothing is told', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const heard = listen(opened.store.watch);
  heard.stop();
  const again = listen(opened.store.watch);
  const writer = await opened.store.create(HEADER);
  await again.until('changed', writer.id);
  expect(heard.changes).toEqual([]);
});

const limit = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$0" "$@"';
const canLimit = spawnSync('unshare', ['-rm', 'bash', '-c', limit, 'true']).status === 0;

test.skipIf(!canLimit)(
  'where the system gives no watch, files are looked at, and that is said once',
  { timeout: 60_000 },
  async () => {
    using dir = tempDir();
    await using opened = await openStore(dir.path);
    const writer = await opened.store.create(HEADER);
    const child = startChild(['watch', dir.path], ['unshare', '-rm', 'bash', '-c', limit]);
    await child.until((saying) => saying['ready'] === true);
    await writer.append([prompt('more')]);
    await child.until((saying) => saying['changed'] === writer.id);
    child.process.kill('SIGKILL');
    await child.ended;
    expect(child.said.filter((saying) => 'notice' in saying)).toHaveLength(1);
  },
);

test('a file that cannot be looked at is told as a fault, and the others are looked at all the same', async () => {
  using dir = tempDir();
  const faults: unknown[] = [];
  const watch = createStrandWatch({
    strands: dir.path,
    notice: () => undefined,
    onFault: (error) => faults.push(error),
  });
  const heard = listen(watch.add);
  const good = join(dir.path, 'good.jsonl');
  writeFileSync(good, 'x');
  // The system refuses this name, as it would refuse a path that it may not read.
  watch.touch('aaaaaaaaaaaa' as StrandId, join(dir.path, 'x'.repeat(300)));
  watch.touch('bbbbbbbbbbbb' as StrandId, good);
  await heard.until('changed', 'bbbbbbbbbbbb');
  expect(faults).toMatchObject([{ code: 'io', data: { errno: 'ENAMETOOLONG' } }]);
  watch.close();
});

/** Full disks, gc, and a store that is taken away: captures that are needed stay whole, and the next one is right. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeDirOf } from '../../src/snapshots/trees/store-dir.ts';
import { collectGarbage, releaseTurns } from '../../src/snapshots/trees/upkeep.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

const storeOf = async (bench: TreeBench) =>
  storeDirOf(join(bench.dataDir, 'snapshots', 'repos'), (await bench.tree()).key);

const fsck = async (bench: TreeBench, commit: string): Promise<void> => {
  const { gitDir } = await storeOf(bench);
  execFileSync('git', ['--git-dir', gitDir, 'fsck', '--full', '--strict', '--no-dangling', commit], {
    stdio: 'pipe',
  });
};

const fill = (bench: TreeBench, round: number): void => {
  mkdirSync(bench.path('d'), { recursive: true });
  for (let at = 0; at < 300; at += 1) writeFileSync(bench.path(`d/f${at}`), `${round} ${at} `.repeat(50));
};

test('too little space is a fault in words, and nothing is written', async () => {
  await using bench = await createTreeBench({ deps: { minFreeBytes: Number.MAX_SAFE_INTEGER } });
  writeFileSync(bench.path('x'), '1');
  await expect(bench.capture()).rejects.toMatchObject({ code: 'io', data: { errno: 'ENOSPC' } });
});

test('gc keeps what a pinned turn needs, gives back what nobody does, and a capture goes on after it', async () => {
  await using bench = await createTreeBench();
  const strand = 'a00000000001' as never;
  writeFileSync(bench.path('x'), 'pinned content');
  const pinned = await bench.capture();
  const tree = await bench.tree();
  await tree.pin({ strand, turn: 't00000000001' as never }, [pinned]);
  for (let round = 0; round < 30; round += 1) {
    writeFileSync(bench.path('x'), `round ${round}`);
    await bench.capture();
  }
  const store = await storeOf(bench);
  const packs = (): number =>
    readdirSync(join(store.objects, 'pack')).filter((name) => name.endsWith('.pack')).length;
  expect(packs()).toBeGreaterThan(20);
  await collectGarbage(bench.git, store, { nowMs: Date.now(), mayRepack: true });
  expect(packs()).toBeLessThan(5);
  expect(
    execFileSync('git', ['--git-dir', store.gitDir, 'show', `${pinned.commit}:x`], { encoding: 'utf8' }),
  ).toBe('pinned content');
  writeFileSync(bench.path('y'), 'after gc');
  const after = await bench.capture();
  expect(after.tree).toBe(bench.treeByGit());
  await fsck(bench, after.commit);
  await releaseTurns(bench.git, store, { strand, turns: ['t00000000001' as never] });
  expect(existsSync(join(store.gitDir, 'refs/skein/turns/a00000000001/t00000000001/0'))).toBe(false);
});

test('a store that is deleted behind our back is made again, and a capture reads everything anew', async () => {
  await using bench = await createTreeBench();
  fill(bench, 1);
  await bench.capture();
  const { gitDir } = await storeOf(bench);
  rmSync(gitDir, { recursive: true });
  await bench.reopen();
  const capture = await bench.capture();
  expect(capture.tree).toBe(bench.treeByGit());
  await fsck(bench, capture.commit);
});

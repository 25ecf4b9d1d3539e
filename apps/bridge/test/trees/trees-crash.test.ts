/** Kills, full disks and several processes: the captures before stay whole, and the next one is right. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { storeDirOf } from '../../src/snapshots/trees/store-dir.ts';
import { collectGarbage, releaseTurns } from '../../src/snapshots/trees/upkeep.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

const CHILD = fileURLToPath(new URL('./capture-child.ts', import.meta.url));
const LONG = process.env['SKEIN_TEST_LONG'] === '1';

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

test('a capture that is killed at any moment leaves a store in which the next one is right', async () => {
  await using bench = await createTreeBench();
  let torn = 0;
  for (let round = 0; round < (LONG ? 300 : 12); round += 1) {
    fill(bench, round);
    const child = spawn(process.execPath, [CHILD, bench.root, bench.dataDir, bench.home], {
      stdio: 'ignore',
    });
    const ended = new Promise((done) => child.once('exit', done));
    await wait(120 + ((round * 37) % 200));
    if (child.exitCode === null) torn += Number(child.kill('SIGKILL'));
    await ended;
    await bench.reopen();
    const capture = await bench.capture();
    expect(capture.tree).toBe(bench.treeByGit());
    await fsck(bench, capture.commit);
  }
  expect(torn, 'some were really killed').toBeGreaterThan(0);
});

test('a fault before everything is on disk leaves what was known in force', async () => {
  let isFull = false;
  await using bench = await createTreeBench({
    deps: {
      failpoint: (name) => {
        if (isFull && name === 'trees.before-seal') throw new Error('no space');
      },
    },
  });
  writeFileSync(bench.path('x'), '1');
  const before = await bench.capture();
  const tree = await bench.tree();
  tree.hold(before);
  writeFileSync(bench.path('x'), '22');
  writeFileSync(bench.path('y'), '1');
  isFull = true;
  await expect(bench.capture()).rejects.toThrow('no space');
  isFull = false;
  const after = await bench.capture();
  expect(after.tree).toBe(bench.treeByGit());
  const diff = tree.diff(before, after);
  expect(diff === 'lost' ? diff : diff.changes.map(({ path }) => path).toSorted()).toEqual(['x', 'y']);
  await fsck(bench, after.commit);
});

test('too little space is a fault in words, and nothing is written', async () => {
  await using bench = await createTreeBench({ deps: { minFreeBytes: Number.MAX_SAFE_INTEGER } });
  writeFileSync(bench.path('x'), '1');
  await expect(bench.capture()).rejects.toMatchObject({ code: 'io', data: { errno: 'ENOSPC' } });
});

test('two processes capture the same folder at the same time, each of them right', async () => {
  await using bench = await createTreeBench();
  fill(bench, 1);
  const children = [1, 2, 3].map(() => {
    const child = spawn(process.execPath, [CHILD, bench.root, bench.dataDir, bench.home], {
      stdio: 'ignore',
    });
    return new Promise((done) => child.once('exit', done));
  });
  const own = await bench.capture();
  expect(await Promise.all(children)).toEqual([0, 0, 0]);
  expect(own.tree).toBe(bench.treeByGit());
  writeFileSync(bench.path('d/f1'), 'changed');
  const next = await bench.capture();
  expect(next.tree).toBe(bench.treeByGit());
  await fsck(bench, next.commit);
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

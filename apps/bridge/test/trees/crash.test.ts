import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { changesOf } from './diffs.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';
import type { TreeJob } from './tree-child.ts';

const KILLS = process.env['SKEIN_TEST_LONG'] === '1' ? 500 : 30;
const folder = mkdtempSync(join(tmpdir(), 'skein-tree-child-'));
const child = join(folder, 'child.mjs');
await build({
  entryPoints: [join(import.meta.dirname, 'tree-child.ts')],
  outfile: child,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  logLevel: 'error',
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (bench: TreeBench, more: Pick<TreeJob, 'rounds' | 'writes'>): ChildProcess => {
  const { root, dataDir, home } = bench;
  const job: TreeJob = { root, dataDir, home, path: process.env['PATH'] ?? '', ...more };
  const running = spawn(process.execPath, [child], { stdio: ['pipe', 'pipe', 'inherit'] });
  running.stdin?.end(JSON.stringify(job));
  return running;
};

const ended = (running: ChildProcess): Promise<number | null> => {
  const { promise, resolve } = Promise.withResolvers<number | null>();
  running.on('close', resolve);
  return promise;
};

const storeDir = async (bench: TreeBench): Promise<string> =>
  join(bench.dataDir, 'snapshots/repos', `${(await bench.tree()).key}.git`);

const namesBelow = (dir: string): string[] => readdirSync(dir, { recursive: true, encoding: 'utf8' });

test('a process killed at any moment of a capture leaves a store that works', async () => {
  await using bench = await createTreeBench();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const running = start(bench, { rounds: 1e6, writes: true });
    const end = ended(running);
    await new Promise((resolve) => running.stdout?.once('data', resolve));
    await wait(Math.random() * 250);
    running.kill('SIGKILL');
    await end;
    if (kill % 10 !== 9) continue;
    await bench.reopen();
    const capture = await bench.capture();
    expect(capture.tree).toBe(bench.treeByGit());
    await bench.storeGit('rev-list', '--objects', '--quiet', capture.commit);
  }
  expect(await bench.storeGit('fsck', '--full', '--strict')).not.toMatch(/error|missing|corrupt/);
  const store = await storeDir(bench);
  expect(namesBelow(store).filter((name) => name.endsWith('.lock'))).toEqual([]);
  const packs = join(store, 'objects/pack');
  const temp = join(packs, 'tmp_pack_left');
  writeFileSync(temp, 'left by a crash');
  const old = new Date(Date.now() - 30 * 86_400_000);
  for (const name of readdirSync(packs)) if (name.startsWith('tmp_')) utimesSync(join(packs, name), old, old);
  await bench.storeGit('gc', '-q');
  expect(readdirSync(packs).filter((name) => name.startsWith('tmp_'))).toEqual([]);
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
});

test('two processes capture the same folder at the same time', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('a'), 'a');
  const both = [start(bench, { rounds: 15, writes: true }), start(bench, { rounds: 60, writes: false })];
  expect(await Promise.all(both.map(ended))).toEqual([0, 0]);
  const capture = await bench.capture();
  expect(capture.tree).toBe(bench.treeByGit());
  expect(await bench.storeGit('fsck', '--full', '--strict')).not.toMatch(/error|missing|corrupt/);
});

test('a failure before anything is sealed leaves the earlier capture in force', async () => {
  let isBroken = false;
  const failpoint = (name: string): void => {
    if (isBroken && name === 'trees.before-seal') throw new Error('broken on purpose');
  };
  await using bench = await createTreeBench({ deps: { failpoint } });
  writeFileSync(bench.path('a'), 'one');
  const tree = await bench.tree();
  const from = await tree.capture();
  tree.hold(from);
  writeFileSync(bench.path('a'), 'number two');
  isBroken = true;
  await expect(tree.capture()).rejects.toThrow('broken on purpose');
  isBroken = false;
  const to = await tree.capture();
  expect(to.tree).toBe(bench.treeByGit());
  expect(changesOf(tree.diff(from, to))).toEqual({ a: 'file 644 3 > file 644 10' });
});

test.each([
  { what: 'packs', place: 'objects/pack' },
  { what: 'refs', place: 'refs/skein/latest' },
])('a store that cannot take $what fails the capture, and the next one is whole', async ({ place }) => {
  await using bench = await createTreeBench({ deps: { watch: true } });
  writeFileSync(bench.path('a'), 'one');
  const tree = await bench.tree();
  const from = await tree.capture();
  tree.hold(from);
  const path = join(await storeDir(bench), place);
  renameSync(path, `${path}.away`);
  writeFileSync(path, 'a file where a folder must be');
  writeFileSync(bench.path('a'), 'number two');
  mkdirSync(bench.path('d'));
  writeFileSync(bench.path('d/b'), 'b');
  await expect(tree.capture()).rejects.toMatchObject({ code: 'io' });
  await expect(tree.capture()).rejects.toMatchObject({ code: 'io' });
  rmSync(path);
  renameSync(`${path}.away`, path);
  const to = await tree.capture();
  expect(to.tree).toBe(bench.treeByGit());
  await bench.storeGit('rev-list', '--objects', '--quiet', to.commit);
  expect(changesOf(tree.diff(from, to))).toEqual({ a: 'file 644 3 > file 644 10', 'd/b': '- > file 644 1' });
});

test('a cache that cannot be written is told of, and the capture stands', async () => {
  await using bench = await createTreeBench();
  for (let at = 0; at < 250; at += 1) writeFileSync(bench.path(`f${at}`), String(at));
  const tree = await bench.tree();
  const caches = join(await storeDir(bench), 'caches');
  rmSync(caches, { recursive: true });
  writeFileSync(caches, '');
  expect((await tree.capture()).tree).toBe(bench.treeByGit());
  expect(bench.faults).toHaveLength(1);
  rmSync(caches);
  mkdirSync(caches);
});

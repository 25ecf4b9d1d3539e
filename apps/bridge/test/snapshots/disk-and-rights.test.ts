import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newOpId, newRecordId } from '../../src/platform/ids.ts';
import { type CrashJob, crashJob, timesRecorded } from './crash-job.ts';
import { bundleChild } from './crash-kit.ts';
import { createWorkbench, quickFolder, treeOf, type Workbench, write } from './workbench.ts';

const NEVER = 1e9;
const LONG = process.env['SKEIN_TEST_LONG'] === '1';
const NOBODY = 65534;
const child = await bundleChild();
afterAll(() => rmSync(dirname(child), { recursive: true, force: true }));

/** Runs the job in a process with a file size limit (in 512-byte blocks) or as a user without rights. */
const runLimited = async (
  job: CrashJob,
  limits: { readonly blocks?: number; readonly uid?: number },
): Promise<{ readonly ok: boolean; readonly stderr: string }> => {
  const limit = limits.blocks === undefined ? '' : `trap '' XFSZ; ulimit -f ${limits.blocks};`;
  const running = spawn('/bin/sh', ['-c', `${limit} exec "$0" "$1"`, process.execPath, child], {
    stdio: ['pipe', 'ignore', 'pipe'],
    ...(limits.uid === undefined ? {} : { uid: limits.uid, gid: limits.uid }),
  });
  let stderr = '';
  running.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  running.stdin.end(JSON.stringify({ ...job, at: NEVER }));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  running.on('close', resolve);
  return { ok: (await promise) === 0, stderr };
};

const jobOf = (bench: Workbench, turn: CrashJob['turn']): CrashJob => ({
  base: dirname(bench.root),
  strand: bench.strand,
  turn,
  op: newOpId(),
  kind: 'undo',
});

const BIG = Buffer.alloc(300 * 1024, 'a line that is repeated\n');
/** Saved versions are deflated where that helps: this one takes all its room. */
const NOISE = randomBytes(300 * 1024);

test('a disk that fills up in the middle of an undo changes nothing, and the undo works once there is room', async () => {
  await using bench = createWorkbench();
  for (const name of ['a', 'z']) writeFileSync(bench.path(name), `${name} before`);
  writeFileSync(bench.path('big'), BIG);
  const turn = await bench.turn(async (gate) => {
    for (const name of ['a', 'big', 'z']) await write(gate, name, `${name} after`);
    await write(gate, 'made/new', 'new');
  });
  const changed = treeOf(bench.root);
  const job = jobOf(bench, turn);
  const limited = await runLimited(job, { blocks: 200 });
  expect(limited.ok).toBe(false);
  expect(limited.stderr).toMatch(/EFBIG/);
  expect(treeOf(bench.root)).toEqual(changed);
  expect(timesRecorded(job)).toBe(0);
  expect(await bench.store.unsettled()).toEqual([]);
  expect(readdirSync(join(bench.dataDir, 'snapshots/blobs/tmp'))).toEqual([]);
  expect((await runLimited(job, {})).ok).toBe(true);
  expect(treeOf(bench.root)).toMatchObject({ a: '644 a before', z: '644 z before' });
});

test('a version that does not fit on the disk is not overwritten', async () => {
  await using bench = createWorkbench();
  writeFileSync(bench.path('a'), NOISE);
  writeFileSync(bench.path('gone'), 'gone');
  const start = treeOf(bench.root);
  const job: CrashJob = { ...jobOf(bench, newRecordId()), kind: 'write' };
  const limited = await runLimited(job, { blocks: 200 });
  expect(limited.stderr).toMatch(/park_failed.*EFBIG/s);
  expect(treeOf(bench.root)).toEqual(start);
  expect(readdirSync(join(bench.dataDir, 'snapshots/blobs/tmp'))).toEqual([]);
});

test('a journal line that does not fit is cut off again, and nothing is written', async () => {
  await using bench = createWorkbench();
  for (const name of ['a', 'gone']) writeFileSync(bench.path(name), name);
  const journal = join(bench.dataDir, 'snapshots/journals', `${bench.strand}.jsonl`);
  await bench.turn((gate) =>
    gate.write({ call: 'c'.repeat(101_800), path: 'a', bytes: Buffer.from('a before') }),
  );
  const saved = readFileSync(journal);
  expect(saved.length).toBeGreaterThan(102_000);
  const start = treeOf(bench.root);
  const limited = await runLimited({ ...jobOf(bench, newRecordId()), kind: 'write' }, { blocks: 200 });
  expect(limited.stderr).toMatch(/park_failed/);
  expect(treeOf(bench.root)).toEqual(start);
  expect(readFileSync(journal).equals(saved)).toBe(true);
});

test.runIf(process.getuid?.() === 0)(
  'a folder that cannot be written stops the undo, and the rest is as it was',
  async () => {
    await using bench = createWorkbench();
    const base = dirname(bench.root);
    mkdirSync(bench.path('locked'));
    const names = ['a', 'b', 'locked/x', 'z'];
    for (const name of names) writeFileSync(bench.path(name), 'before');
    const turn = await bench.turn(async (gate) => {
      for (const name of names) await write(gate, name, `${name} after`);
    });
    const changed = treeOf(bench.root);
    const job = jobOf(bench, turn);
    give(base, NOBODY);
    give(dirname(child), NOBODY);
    chownSync(bench.path('locked'), 0, 0);
    chmodSync(bench.path('locked'), 0o755);
    const limited = await runLimited(job, { uid: NOBODY });
    expect(limited.stderr).toMatch(/EACCES/);
    expect(treeOf(bench.root)).toEqual(changed);
    expect(timesRecorded(job)).toBe(0);
    give(base, 0);
    expect(await bench.store.unsettled()).toEqual([]);
    await crashJob(job, () => undefined);
    expect(Object.values(treeOf(bench.root)).filter((entry) => entry !== 'dir')).toEqual(
      Array(4).fill('644 before'),
    );
  },
);

const give = (folder: string, uid: number): void => {
  chownSync(folder, uid, uid);
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    chownSync(join(entry.parentPath, entry.name), uid, uid);
  }
};

test('a parent that is swapped for a link over and over never leads a write or a restore outside', async () => {
  await using bench = createWorkbench({ base: quickFolder() });
  writeFileSync(join(bench.outside, 'x'), 'sentinel');
  mkdirSync(bench.path('a'));
  writeFileSync(bench.path('a/x'), 'before');
  // Another process, so that it can hit between any two system calls of ours.
  const script = `
    const fs = require('fs');
    const [a, b, outside] = process.argv.slice(1);
    for (const end = Date.now() + 600000; Date.now() < end && fs.existsSync(outside); ) {
      try { fs.renameSync(a, b); fs.symlinkSync(outside, a); fs.unlinkSync(a); fs.renameSync(b, a); } catch { putBack(); }
    }
    // A write of ours may have made the folder anew in between: without this the swapping would stop for good.
    function putBack() {
      try { if (fs.lstatSync(a).isSymbolicLink()) fs.unlinkSync(a); } catch {}
      try { if (fs.existsSync(b)) { fs.rmSync(a, { recursive: true, force: true }); fs.renameSync(b, a); } } catch {}
    }`;
  const swapper = spawn(process.execPath, ['-e', script, bench.path('a'), bench.path('b'), bench.outside], {
    stdio: 'ignore',
  });
  const outcomes = new Set<string>();
  const hits = (): string[] =>
    ['link', 'changed_since_read', 'conflict'].filter((outcome) => outcomes.has(outcome));
  const enough = LONG ? 10_000 : 500;
  try {
    // The other process may need a while to start: without a hit the test has shown nothing.
    for (let round = 0; round < enough || (hits().length === 0 && round < 20_000); round += 1) {
      const turn = await bench.turn(async (gate) => {
        const bytes = Buffer.from(`round ${round}`);
        await gate.write({ call: 'c', path: 'a/x', bytes }).then(
          (result) => outcomes.add(result.kind === 'refused' ? result.reason : result.kind),
          // The folder can be gone altogether while the temp is being made in it.
          (error) => outcomes.add(error.code),
        );
      });
      await bench.undo(turn).then(
        ({ applied }) => outcomes.add(applied ? 'undone' : 'conflict'),
        (error) => outcomes.add(error.code),
      );
      await bench.recover();
    }
  } finally {
    swapper.kill('SIGKILL');
  }
  expect(treeOf(bench.outside)).toEqual({ x: '644 sentinel' });
  expect(outcomes).toContain('written');
  expect(hits()).not.toEqual([]);
}, 600_000);

test('a link that the user put where a restore makes a folder is not followed', async () => {
  await using bench: Workbench = createWorkbench({
    failpoint: (name) => {
      if (name === 'restore.after-intent') symlinkSync(bench.outside, join(bench.root, 'made'));
    },
  });
  mkdirSync(bench.path('made'));
  writeFileSync(bench.path('made/x'), 'x');
  const turn = await bench.turn((gate) => gate.remove({ call: 'c', path: 'made/x' }));
  rmSync(bench.path('made'), { recursive: true });
  await expect(bench.undo(turn)).rejects.toMatchObject({ code: 'stale_plan' });
  expect(treeOf(bench.outside)).toEqual({});
  expect(treeOf(bench.root)).toEqual({ made: `link ${bench.outside}` });
});

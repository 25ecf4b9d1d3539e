/** Crash tests: a scenario, ways to interrupt work on it, and what must hold afterwards. */
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { newOpId } from '../../src/platform/ids.ts';
import { type CrashJob, crashJob } from './crash-job.ts';
import { createWorkbench, remove, treeOf, type Workbench, write } from './workbench.ts';

/** The child as one file: it starts five times faster than from its sources. */
export const bundleChild = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'skein-crash-child-'));
  const outfile = join(folder, 'child.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'crash-child.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    logLevel: 'error',
  });
  return outfile;
};

/** Kills a real process at the n-th failpoint; false when it came to its end before. */
export const killAt = async (child: string, job: CrashJob, at: number): Promise<boolean> => {
  const running = spawn(process.execPath, [child], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  let stderr = '';
  running.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  running.stdin.end(JSON.stringify({ ...job, at }));
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  running.on('error', reject);
  running.on('close', (code, signal) => {
    if (signal === 'SIGKILL') resolve(true);
    else if (code === 0) resolve(false);
    else reject(new Error(stderr));
  });
  return promise;
};

export interface Scenario {
  readonly bench: Workbench;
  readonly job: CrashJob;
  /** What the undo shall bring back, and what is there before it. */
  readonly wanted: Readonly<Record<string, string>>;
  readonly start: Readonly<Record<string, string>>;
}

/** A turn that does one of everything, ready to be undone. */
export const undoTemplate = async (): Promise<Scenario> => {
  const bench = createWorkbench();
  for (const name of ['a', 'b', 'mode']) writeFileSync(bench.path(name), `${name} before\r\n`);
  chmodSync(bench.path('b'), 0o755);
  mkdirSync(bench.path('old'));
  writeFileSync(bench.path('old/gone'), Buffer.from([0, 1, 2, 255]));
  symlinkSync('a', bench.path('link'));
  writeFileSync(bench.path('kept'), 'kept');
  const wanted = treeOf(bench.root);
  const turn = await bench.turn(async (gate) => {
    await write(gate, 'a', 'a after');
    await write(gate, 'b', 'b after');
    await write(gate, 'made/deep/new', 'new');
    await remove(gate, 'old/gone');
    const checkpoint = await gate.checkpoint({ call: 'sh', paths: ['mode', 'link'] });
    chmodSync(bench.path('mode'), 0o700);
    rmSync(bench.path('link'));
    symlinkSync('b', bench.path('link'));
    if (checkpoint.kind === 'parked') await checkpoint.settle();
  });
  rmSync(bench.path('old'), { recursive: true });
  const job: CrashJob = {
    base: join(bench.root, '..'),
    strand: bench.strand,
    turn,
    op: newOpId(),
    kind: 'undo',
  };
  return { bench, job, wanted, start: treeOf(bench.root) };
};

/** A copy of it to be broken: making one anew would be most of the time of these tests. */
export const copyOf = ({ job, wanted, start }: Scenario): Scenario => {
  const bench = createWorkbench({ strand: job.strand });
  const base = join(bench.root, '..');
  cpSync(job.base, base, { recursive: true, verbatimSymlinks: true });
  return { bench, job: { ...job, base }, wanted, start };
};

/** Paths that are neither as before nor as wanted; temps and folders on the way are fine until recovery. */
export const strayPaths = ({ bench, wanted, start }: Scenario): string[] => {
  const now = treeOf(bench.root);
  const isStray = (path: string): boolean =>
    now[path] !== start[path] && now[path] !== wanted[path] && !path.includes('.skein-tmp');
  return [...new Set([...Object.keys(now), ...Object.keys(start), ...Object.keys(wanted)])].filter(isStray);
};

/** Points that a whole run passes, by number. */
export const pointsOf = async (job: CrashJob): Promise<readonly string[]> => {
  const names: string[] = [];
  await crashJob(job, (name) => {
    names.push(name);
  });
  return names;
};

/** The n-th system call of an undo fails, once or for good: every path is before or after, and what follows puts it right. */
import { afterAll, expect, test } from 'vitest';
import { crashJob, timesRecorded } from '../snapshots/crash-job.ts';
import { bundleChild, copyOf, strayPaths, undoTemplate } from '../snapshots/crash-kit.ts';
import { treeOf } from '../snapshots/workbench.ts';
import { buildShim, type Fault, runUnder } from './fault-kit.ts';

const LONG = process.env['SKEIN_TEST_LONG'] === '1';
const shim = buildShim();
const template = await undoTemplate();
const script = await bundleChild();
afterAll(() => template.bench[Symbol.asyncDispose]());

const KINDS = ['ENOSPC', 'EIO', 'SHORT'] as const;

const undoUnder = async (fault: Fault | null) => {
  const scenario = copyOf(template);
  const { bench, job } = scenario;
  const input = JSON.stringify({ ...job, at: -1 });
  const run = await runUnder(shim ?? '', { script, input, below: job.base }, fault);
  return { scenario, run, dispose: () => bench[Symbol.asyncDispose]() };
};

const expectWhole = async (fault: Fault): Promise<string> => {
  const { scenario, run, dispose } = await undoUnder(fault);
  const { bench, job, wanted, start } = scenario;
  try {
    expect(strayPaths(scenario), `${JSON.stringify(fault)} ${run.failed}: ${run.stderr}`).toEqual([]);
    await crashJob({ ...job, kind: 'recover' }, () => undefined);
    const isDone = timesRecorded(job) > 0;
    expect(timesRecorded(job)).toBe(isDone ? 1 : 0);
    expect(treeOf(bench.root), `${JSON.stringify(fault)} ${run.failed}`).toEqual(isDone ? wanted : start);
    if (run.code === 0) expect(isDone, 'what was said to be done is done').toBe(true);
    if (!isDone) await bench.undo(job.turn);
    expect(treeOf(bench.root)).toEqual(wanted);
    expect(await bench.store.unsettled()).toEqual([]);
    return run.failed;
  } finally {
    await dispose();
  }
};

test.skipIf(shim === null)(
  'whichever call of an undo fails, no path is anything but before or after, and the next try works (needs a C compiler)',
  async () => {
    const whole = await undoUnder(null);
    await whole.dispose();
    expect(whole.run).toMatchObject({ code: 0, failed: '-' });
    expect(whole.run.calls).toBeGreaterThan(30);
    const failed = new Set<string>();
    const every = LONG ? 1 : Math.ceil(whole.run.calls / 16);
    for (let at = 1; at <= whole.run.calls; at += every) {
      const kinds = LONG ? KINDS : [KINDS[at % 3] ?? 'EIO'];
      for (const kind of kinds) {
        for (const stays of LONG ? [false, true] : [at % 2 === 0])
          failed.add(await expectWhole({ at, kind, stays }));
      }
    }
    expect(failed.size, `calls that were made to fail: ${[...failed].join(', ')}`).toBeGreaterThan(2);
  },
  3_600_000,
);

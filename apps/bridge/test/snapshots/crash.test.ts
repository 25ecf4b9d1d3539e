import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { newOpId, newRecordId } from '../../src/platform/ids.ts';
import { type CrashJob, crashJob, freezeAt, timesRecorded } from './crash-job.ts';
import {
  bundleChild,
  copyOf,
  killAt,
  pointsOf,
  type Scenario,
  strayPaths,
  undoTemplate,
} from './crash-kit.ts';
import { createWorkbench, openStore, treeOf } from './workbench.ts';

const LONG = process.env['SKEIN_TEST_LONG'] === '1';
const template = await undoTemplate();
const none = (): void => undefined;
const child = await bundleChild();
const kill = (job: CrashJob, at: number): Promise<boolean> => killAt(child, job, at);

/** Points of an undo and of the recovery after a crash in its middle. */
const undoPoints = await (async () => {
  const { bench, job } = copyOf(template);
  const points = await pointsOf(job);
  await bench[Symbol.asyncDispose]();
  return points;
})();
const MIDDLE = undoPoints.indexOf('restore.renamed.1');
const recoveryPoints = await (async () => {
  const { bench, job } = copyOf(template);
  await freezeAt(job, MIDDLE);
  const points = await pointsOf({ ...job, kind: 'recover' });
  await bench[Symbol.asyncDispose]();
  return points;
})();

/** Recovery ends it, whatever came before, and running it again changes nothing. */
const expectSettled = async (scenario: Scenario, began: boolean): Promise<void> => {
  const { bench, job, wanted, start } = scenario;
  const recover: CrashJob = { ...job, kind: 'recover' };
  await crashJob(recover, none);
  expect(treeOf(bench.root)).toEqual(began ? wanted : start);
  expect(timesRecorded(job)).toBe(began ? 1 : 0);
  expect(await bench.store.unsettled()).toEqual([]);
  expect(await crashJob(recover, none)).toEqual([]);
  expect(treeOf(bench.root)).toEqual(began ? wanted : start);
  if (!began) return;
  await bench.redo(job.op);
  expect(withoutFolders(treeOf(bench.root))).toEqual(withoutFolders(start));
  expect((await bench.undo(job.turn)).files).toHaveLength(6);
  expect(withoutFolders(treeOf(bench.root))).toEqual(withoutFolders(wanted));
};

const withoutFolders = (tree: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(tree).filter(([, what]) => what !== 'dir'));

const began = (at: number): boolean => at >= undoPoints.indexOf('restore.after-intent');

describe('an undo that is killed', () => {
  test('passes the points that are documented', () => {
    expect(undoPoints).toContain('restore.before-intent');
    expect(undoPoints.filter((name) => /renamed|deleted/.test(name))).toHaveLength(6);
    expect(MIDDLE).toBeGreaterThan(0);
  });

  test.each(undoPoints.map((name, at) => ({ name, at })))(
    'at $name: each path is before or after, recovery ends it',
    async ({ at }) => {
      const scenario = copyOf(template);
      await using _ = scenario.bench;
      expect(await kill(scenario.job, at)).toBe(true);
      expect(strayPaths(scenario)).toEqual([]);
      await expectSettled(scenario, began(at));
    },
  );

  test.each(undoPoints.map((name, at) => ({ name, at })).filter(({ at }) => began(at)))(
    'at $name: what the user put there since is left alone, named, and the rest goes on',
    async ({ at }) => {
      const scenario = copyOf(template);
      await using _ = scenario.bench;
      const { bench, job, wanted } = scenario;
      await freezeAt(job, at);
      writeFileSync(bench.path('a'), 'by hand');
      rmSync(bench.path('b'));
      const reports = await crashJob({ ...job, kind: 'recover' }, none);
      const { a: _a, b: _b, ...rest } = wanted;
      expect(treeOf(bench.root)).toEqual({ ...rest, a: '644 by hand' });
      expect(reports.flatMap(({ left }) => left)).toEqual(
        at < undoPoints.indexOf('restore.settled') ? ['a', 'b'] : [],
      );
      expect(timesRecorded(job)).toBe(1);
    },
  );
});

describe('a recovery that is killed', () => {
  test.each(recoveryPoints.map((name, at) => ({ name, at })))(
    'at $name: the next one ends it',
    async ({ at }) => {
      const scenario = copyOf(template);
      await using _ = scenario.bench;
      await freezeAt(scenario.job, MIDDLE);
      expect(await kill({ ...scenario.job, kind: 'recover' }, at)).toBe(true);
      expect(strayPaths(scenario)).toEqual([]);
      await expectSettled(scenario, true);
    },
  );

  const pairs = undoPoints.flatMap((_, first) => recoveryPoints.map((__, second) => ({ first, second })));
  // Behind `npm run test:long` only: they are many, and no skip.
  test.each(LONG ? pairs : [])(
    'undo at $first, recovery at $second, then a third run ends it',
    async ({ first, second }) => {
      const scenario = copyOf(template);
      await using _ = scenario.bench;
      await freezeAt(scenario.job, first);
      await freezeAt({ ...scenario.job, kind: 'recover' }, second);
      expect(strayPaths(scenario)).toEqual([]);
      await freezeAt({ ...scenario.job, kind: 'recover' }, second + 1);
      await expectSettled(scenario, began(first));
    },
  );
});

describe('a turn that is killed', () => {
  const start = { a: '644 a before', gone: '644 gone' };
  const scenario = () => {
    const bench = createWorkbench();
    writeFileSync(bench.path('a'), 'a before');
    writeFileSync(bench.path('gone'), 'gone');
    const job: CrashJob = {
      base: join(bench.root, '..'),
      strand: bench.strand,
      turn: newRecordId(),
      op: newOpId(),
      kind: 'write',
    };
    return { bench, job };
  };
  // Three writes with five points each, one deletion with three.
  test.each(Array.from({ length: 15 }, (_, at) => ({ at })))(
    'at point $at: files are whole, and the undo goes through',
    async ({ at }) => {
      const { bench, job } = scenario();
      await using _ = bench;
      expect(at % 3 === 0 ? await kill(job, at) : (await freezeAt(job, at)).length === at + 1).toBe(true);
      const store = openStore(bench.dataDir);
      const workspace = { strand: bench.strand, root: bench.root };
      const contents = ['644 a before', '644 a of the turn', '644 a of the turn, again'];
      expect(contents).toContain(treeOf(bench.root)['a']);
      await bench.recover();
      const { files, coverage } = await store.settleFromJournal(workspace, job.turn);
      expect(coverage.level).toBe('partial');
      const changed = treeOf(bench.root);
      expect(Object.keys(changed).filter((name) => name.includes('skein-tmp'))).toEqual([]);
      expect(files.map(({ path }) => path).sort()).toEqual(
        ['a', 'gone', 'made/deep/new'].filter(
          (path) => changed[path] !== (start as Record<string, string>)[path],
        ),
      );
      const undone = await bench.undo(job.turn);
      expect(undone.conflicts).toEqual([]);
      expect(treeOf(bench.root)).toEqual(start);
      expect(await bench.store.unsettled()).toEqual([]);
    },
  );
});

afterAll(async () => {
  await template.bench[Symbol.asyncDispose]();
  rmSync(dirname(child), { recursive: true, force: true });
});

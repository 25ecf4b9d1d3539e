/**
 * Random histories with shell commands: turns of two sessions whose commands do anything to files, edits by the user,
 * git under both, gc, undo and redo of anything, a new process in between. Whatever a restore changes was the turn's, or
 * merged with it; what it took from the disk comes back with redo; everything else, and the user's .git, is as it was.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OpId, StrandId, TurnId } from '@skein/core/record/ids';
import { pathKey } from '@skein/core/record/path-ref';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { storeDirOf } from '../../src/snapshots/trees/store-dir.ts';
import { collectGarbage } from '../../src/snapshots/trees/upkeep.ts';
import { openTestTrees } from './test-trees.ts';
import { createWorkbench, never, quickFolder, remove, treeOf, type Workbench, write } from './workbench.ts';

const NAMES = ['a', 'b', 'd/x', 'd/e/y', 'f/z'] as const;
const text = fc.stringMatching(/^[a-c](\n[a-c]){0,4}\n$/);
const change = fc.oneof(
  fc.record({ do: fc.constant('write' as const), at: fc.constantFrom(...NAMES), text }),
  fc.record({ do: fc.constant('remove' as const), at: fc.constantFrom(...NAMES, 'd') }),
  fc.record({
    do: fc.constant('move' as const),
    at: fc.constantFrom(...NAMES),
    to: fc.constantFrom(...NAMES),
  }),
  fc.record({ do: fc.constant('chmod' as const), at: fc.constantFrom(...NAMES) }),
  fc.record({
    do: fc.constant('link' as const),
    at: fc.constantFrom(...NAMES),
    to: fc.constantFrom('a', 'nowhere'),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('turn' as const),
      session: fc.nat(1),
      gated: fc.array(fc.record({ at: fc.constantFrom(...NAMES), text: fc.option(text) }), { maxLength: 2 }),
      command: fc.array(change, { maxLength: 3 }),
      after: fc.array(fc.record({ at: fc.constantFrom(...NAMES), text: fc.option(text) }), { maxLength: 1 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('edit' as const), change }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('git' as const),
      args: fc.constantFrom(
        ['add', '-A'],
        ['commit', '-qam', 'x'],
        ['stash', '-q', '-u'],
        ['stash', 'pop', '-q'],
        ['checkout', '-q', '--', '.'],
        ['reset', '-q', '--hard'],
        ['gc', '-q', '--prune=now'],
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('gc' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('take-back' as const),
      which: fc.nat(3),
      choice: fc.constantFrom('mine', 'before', 'markers', null),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface World {
  readonly bench: Workbench;
  readonly strands: readonly StrandId[];
  readonly history: { readonly kind: 'turn' | 'op'; readonly strand: StrandId; readonly id: string }[];
}

const attempt = (task: () => void): void => {
  try {
    task();
  } catch (error) {
    // What the file system or git refuses is no step.
    if (!(error instanceof Error)) throw error;
  }
};

const carryOut = (bench: Workbench, one: Change): void =>
  attempt(() => {
    const at = bench.path(one.at);
    if (one.do === 'write') {
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, one.text);
    }
    if (one.do === 'remove') rmSync(at, { recursive: true, force: true });
    if (one.do === 'move') renameSync(at, bench.path(one.to));
    if (one.do === 'chmod') chmodSync(at, 0o755);
    if (one.do === 'link') {
      rmSync(at, { force: true });
      symlinkSync(one.to, at);
    }
  });

const filesOf = (bench: Workbench): Record<string, string> =>
  Object.fromEntries(
    Object.entries(treeOf(bench.root)).filter(([path, what]) => !path.startsWith('.git/') && what !== 'dir'),
  );

const gitOf = (bench: Workbench): string =>
  createHash('sha256')
    .update(JSON.stringify(treeOf(bench.path('.git'))))
    .digest('hex');

const runTurn = async (
  { bench, strands, history }: World,
  one: Extract<Step, { do: 'turn' }>,
): Promise<void> => {
  const strand = strands[one.session] ?? bench.strand;
  const before = gitOf(bench);
  const id = await bench.turn(
    async (gate) => {
      const gated = async (writes: typeof one.gated): Promise<void> => {
        for (const { at, text: content } of writes) {
          // A link or a folder may be there by now: then the gate refuses, and that is that.
          await (content === null ? remove(gate, at) : write(gate, at, content)).catch((error: unknown) => {
            if (!(error instanceof Error) || !/^[a-z_]+: /.test(error.message)) throw error;
          });
        }
      };
      await gated(one.gated);
      await gate.beforeUngated('sh', never);
      for (const made of one.command) carryOut(bench, made);
      await gated(one.after);
    },
    { strand },
  );
  expect(gitOf(bench)).toBe(before);
  history.push({ kind: 'turn', strand, id });
};

const takeBack = async (
  world: World,
  { which, choice }: Extract<Step, { do: 'take-back' }>,
): Promise<void> => {
  const { bench, history } = world;
  const found = history[history.length - 1 - (which % Math.max(1, history.length))];
  if (found === undefined) return;
  const [before, git] = [filesOf(bench), gitOf(bench)];
  const ask = (choices?: Parameters<Workbench['undo']>[1]) =>
    found.kind === 'turn'
      ? bench.undo(found.id as TurnId, { strand: found.strand, ...choices })
      : bench.redo(found.id as OpId, { strand: found.strand, ...choices });
  let result = await ask();
  if (!result.applied) {
    expect(filesOf(bench), 'a conflict writes nothing').toEqual(before);
    const choices = result.conflicts.flatMap(({ path, choices: offered }) =>
      choice !== null && offered.includes(choice) ? [{ path, choice }] : [],
    );
    if (choices.length < result.conflicts.length) return;
    result = await ask({ choices });
  }
  expect(result.applied).toBe(true);
  expect(gitOf(bench)).toBe(git);
  const after = filesOf(bench);
  const named = new Set(result.files.map(({ path }) => pathKey(path)));
  for (const path of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (before[path] !== after[path])
      expect(named.has(path), `${path} was changed without being named`).toBe(true);
  }
  // What was taken from the disk comes back, all of it, and goes again.
  const back = await bench.redo(result.op as OpId, { strand: found.strand });
  expect(back.applied).toBe(true);
  expect(filesOf(bench)).toEqual(before);
  const again = await bench.redo(back.op as OpId, { strand: found.strand });
  expect(filesOf(bench)).toEqual(after);
  history.push({ kind: 'op', strand: found.strand, id: again.op as string });
};

const runHistory = async (steps: readonly Step[]): Promise<void> => {
  const base = quickFolder();
  const home = join(base, 'home');
  mkdirSync(home);
  const trees = await openTestTrees(join(base, 'data'), home, true);
  await using bench = createWorkbench({ base, trees });
  const git = (...args: readonly string[]): void =>
    attempt(() => {
      execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], {
        cwd: bench.root,
        stdio: 'pipe',
      });
    });
  git('init', '-q');
  writeFileSync(bench.path('a'), 'a\nb\nc\n');
  git('add', '-A');
  git('commit', '-qm', 'one');
  const world: World = { bench, strands: [bench.strand, bench.newStrand()], history: [] };
  for (const one of steps) {
    if (one.do === 'turn') await runTurn(world, one);
    if (one.do === 'edit') carryOut(bench, one.change);
    if (one.do === 'git') git(...one.args);
    if (one.do === 'take-back') await takeBack(world, one);
    if (one.do === 'gc') {
      const opened = await trees.store.open(bench.root);
      if (opened.kind === 'open')
        await collectGarbage(
          trees.git,
          storeDirOf(join(base, 'data', 'snapshots', 'repos'), opened.tree.key),
          { nowMs: Date.now(), mayRepack: true },
        );
    }
  }
  expect(await bench.store.unsettled()).toEqual([]);
  await trees.closeAll();
};

const isLong = process.env['SKEIN_TEST_LONG'] === '1';

test('in any history with commands a restore changes only what it names, and redo brings all of it back', async () => {
  const size = { minLength: isLong ? 60 : 20, maxLength: isLong ? 60 : 20 };
  await fc.assert(fc.asyncProperty(fc.array(step, size), runHistory), {
    numRuns: isLong ? 10_000 : 45,
    seed: 20261202,
  });
  await fc.assert(fc.asyncProperty(fc.array(step, size), runHistory), { numRuns: isLong ? 1000 : 15 });
}, 3_600_000);

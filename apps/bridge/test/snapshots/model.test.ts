/**
 * Random histories against a model in a few lines: turns of two sessions, edits by the user before, between and in the
 * middle of them, undo and redo of anything, crashes. After each command the disk is what the model says, so nothing
 * but the turn's own work was ever replaced; and whatever went from disk without the user's hand is in the store.
 */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OpId, StrandId, TurnId } from '@skein/core/record/ids';
import { mergeModes } from '@skein/core/restore/merge/merge-modes';
import { mergeText } from '@skein/core/restore/merge/merge-text';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { newOpId, newStrandId } from '../../src/platform/ids.ts';
import { crashJob, freezeAt } from './crash-job.ts';
import { createWorkbench, quickFolder, remove, treeOf, type Workbench, write } from './workbench.ts';

const PATHS = ['a', 'b', 'd/x', 'd/e/y'] as const;
type Path = (typeof PATHS)[number];
/** Content and mode, as `treeOf` shows them; undefined: nothing there. */
type Value = string | undefined;
type Files = Map<Path, Value>;

interface Effect {
  readonly path: Path;
  theirs: Value;
  base: Value;
  /** The user edited it in the middle of the turn. */
  foreign: boolean;
}
interface Undoable {
  readonly kind: 'turn' | 'op';
  readonly strand: StrandId;
  readonly id: string;
  readonly effects: readonly Effect[];
}

interface World {
  readonly bench: Workbench;
  readonly strands: readonly StrandId[];
  readonly files: Files;
  readonly history: Undoable[];
  /** Contents that a turn or a restore took from the disk. */
  readonly replaced: Set<string>;
}

type Edit = { readonly path: Path; readonly text: string | null; readonly by: 'agent' | 'user' };
type Command =
  | { readonly type: 'turn'; readonly session: number; readonly edits: readonly Edit[] }
  | { readonly type: 'edit'; readonly path: Path; readonly text: string | null }
  | { readonly type: 'chmod'; readonly path: Path }
  | { readonly type: 'take-back'; readonly which: number; readonly crashAt: number | null };

const text = fc.oneof(fc.constantFrom('A', 'B', 'C\r\n', ''), fc.stringMatching(/^[a-z]{1,4}$/));
const path = fc.constantFrom(...PATHS);
const edit = fc.record({
  path,
  text: fc.option(text, { freq: 4 }),
  by: fc.constantFrom('agent', 'agent', 'agent', 'user') as fc.Arbitrary<'agent' | 'user'>,
});
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('turn' as const),
      session: fc.nat(1),
      edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('edit' as const), path, text: fc.option(text) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('chmod' as const), path }) },
  {
    weight: 7,
    arbitrary: fc.record({
      type: fc.constant('take-back' as const),
      which: fc.oneof(fc.constant(0), fc.nat(3)),
      crashAt: fc.option(fc.nat(14), { freq: 2 }),
    }),
  },
);

const show = (mode: number, content: string): string => `${mode.toString(8)} ${content}`;

const userWrites = ({ bench, files }: World, at: Path, content: string | null): void => {
  const target = bench.path(at);
  if (content === null) rmSync(target, { force: true });
  else {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  files.set(at, content === null ? undefined : show(statSync(target).mode & 0o777, content));
};

const runTurn = async (
  world: World,
  { session, edits }: Extract<Command, { type: 'turn' }>,
): Promise<void> => {
  const { bench, files, history, replaced } = world;
  const strand = world.strands[session]!;
  const effects = new Map<Path, Effect>();
  const id = await bench.turn(
    async (gate) => {
      for (const { path: at, text: content, by } of edits) {
        if (by === 'user') {
          userWrites(world, at, content);
          continue;
        }
        const before = files.get(at);
        if (content === null && before === undefined) continue;
        if (content === null) await remove(gate, at);
        else await write(gate, at, content);
        const after =
          content === null
            ? undefined
            : before === undefined
              ? show(0o644, content)
              : `${before.split(' ')[0]} ${content}`;
        if (before === after) continue;
        if (before !== undefined) replaced.add(before);
        const known = effects.get(at);
        if (known === undefined) effects.set(at, { path: at, theirs: before, base: after, foreign: false });
        else {
          known.foreign ||= known.base !== before;
          known.base = after;
        }
        files.set(at, after);
      }
    },
    { strand },
  );
  history.push({ kind: 'turn', strand, id, effects: [...effects.values()] });
};

interface Step {
  readonly path: Path;
  readonly ours: Value;
  readonly result: Value;
}

const partsOf = (value: string): { readonly mode: number; readonly content: string } => {
  const cut = value.indexOf(' ');
  return { mode: Number.parseInt(value.slice(0, cut), 8), content: value.slice(cut + 1) };
};

/** The three-way merge of content and mode; undefined for a conflict. */
const merged = ({ theirs, base, foreign }: Effect, ours: Value): string | undefined => {
  if (foreign || theirs === undefined || base === undefined || ours === undefined) return undefined;
  const [t, b, o] = [theirs, base, ours].map(partsOf) as [
    ReturnType<typeof partsOf>,
    ReturnType<typeof partsOf>,
    ReturnType<typeof partsOf>,
  ];
  const mode = mergeModes(b.mode, o.mode, t.mode);
  const outcome = mergeText({ base: b.content, ours: o.content, theirs: t.content });
  const content =
    o.content === b.content || o.content === t.content
      ? t.content
      : t.content === b.content
        ? o.content
        : outcome.kind === 'clean'
          ? outcome.text
          : null;
  return mode === 'conflict' || content === null ? undefined : show(mode, content);
};

/** What taking back does to the files by the table of the design, or null for a conflict. */
const expectedSteps = ({ files }: World, { effects }: Undoable): readonly Step[] | null => {
  const steps: Step[] = [];
  for (const effect of effects) {
    const ours = files.get(effect.path);
    if (effect.theirs === effect.base || ours === effect.theirs) continue;
    const isLeft = ours === effect.base && !effect.foreign;
    const result = isLeft ? effect.theirs : merged(effect, ours);
    if (!isLeft && result === undefined) return null;
    if (result !== ours) steps.push({ path: effect.path, ours, result });
  }
  return steps;
};

const takeBack = async (
  world: World,
  { which, crashAt }: Extract<Command, { type: 'take-back' }>,
): Promise<void> => {
  const { bench, files, history, replaced } = world;
  const found = history[history.length - 1 - (which % Math.max(1, history.length))];
  if (found === undefined) return;
  const steps = expectedSteps(world, found);
  const op = newOpId();
  const began = await carryOut(world, { found, op, crashAt });
  if (steps === null || !began) return;
  for (const { path: at, ours, result } of steps) {
    if (ours !== undefined) replaced.add(ours);
    files.set(at, result);
  }
  const effects = steps.map(({ path: at, ours, result }) => ({
    path: at,
    theirs: ours,
    base: result,
    foreign: false,
  }));
  history.push({ kind: 'op', strand: found.strand, id: op, effects });
  expect(bench.recorded.has(op) || crashAt !== null).toBe(true);
};

/** Whether it took place: a conflict does not, a crash before its intent does not. */
const carryOut = async (
  world: World,
  { found, op, crashAt }: { readonly found: Undoable; readonly op: OpId; readonly crashAt: number | null },
): Promise<boolean> => {
  const { bench } = world;
  const { kind, strand } = found;
  const isConflict = expectedSteps(world, found) === null;
  if (crashAt === null) {
    const options = { op, strand };
    const result = await (kind === 'turn'
      ? bench.undo(found.id as TurnId, options)
      : bench.redo(found.id as OpId, options));
    expect(result.applied).toBe(!isConflict);
    return result.applied;
  }
  const job = {
    base: dirname(bench.root),
    strand,
    op,
    kind: kind === 'turn' ? 'undo' : 'redo',
    turn: found.id as TurnId,
  } as const;
  const points = await freezeAt(job, crashAt);
  await crashJob({ ...job, kind: 'recover' }, () => undefined);
  return !isConflict && points.includes('restore.after-intent');
};

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

const check = ({ bench, files, replaced }: World): void => {
  const onDisk = Object.entries(treeOf(bench.root)).filter(([, what]) => what !== 'dir');
  const wanted = [...files].filter(([, value]) => value !== undefined);
  expect(Object.fromEntries(onDisk)).toEqual(Object.fromEntries(wanted));
  for (const value of replaced) {
    const name = sha256(value.slice(value.indexOf(' ') + 1));
    const blob = join(bench.dataDir, 'snapshots/blobs', name.slice(0, 2), name);
    expect(existsSync(blob) && sha256(readFileSync(blob, 'latin1'))).toBe(name);
  }
};

const runHistory = async (commands: readonly Command[]): Promise<void> => {
  await using bench = createWorkbench({ base: quickFolder() });
  const world: World = {
    bench,
    strands: [bench.strand, newStrandId()],
    files: new Map(),
    history: [],
    replaced: new Set(),
  };
  userWrites(world, 'a', 'mine');
  userWrites(world, 'd/x', 'mine too');
  for (const step of commands) {
    if (step.type === 'turn') await runTurn(world, step);
    if (step.type === 'edit') userWrites(world, step.path, step.text);
    if (step.type === 'chmod' && world.files.get(step.path) !== undefined) {
      const value = world.files.get(step.path)!;
      chmodSync(bench.path(step.path), 0o755);
      world.files.set(step.path, `755 ${value.slice(value.indexOf(' ') + 1)}`);
    }
    if (step.type === 'take-back') await takeBack(world, step);
    check(world);
  }
  expect(await bench.store.unsettled()).toEqual([]);
};

const runs = process.env['SKEIN_TEST_LONG'] === '1' ? 600 : 60;

test('in any history nothing of the user is replaced unseen, and what a restore replaced can be had back', async () => {
  const size = { minLength: 15, maxLength: 15 };
  await fc.assert(fc.asyncProperty(fc.array(command, size), runHistory), { numRuns: runs, seed: 20251201 });
  await fc.assert(fc.asyncProperty(fc.array(command, size), runHistory), { numRuns: Math.ceil(runs / 6) });
}, 600_000);

/** A prepared restore as people and scripts see it. */
import type { RestoreRequest, RestoreResult } from '@skein/core/protocol/restore';
import { choicesFor } from '@skein/core/restore/choices';
import type { RestoreConflict, RestoreStep } from '@skein/core/restore/plan';
import { cutStep, type HunkContext } from './choose-hunks.ts';
import type { SnapshotStoreDeps } from './deps.ts';
import type { Prepared, Target } from './prepare-restore.ts';
import { readOurs } from './read-ours.ts';
import type { RestoreWorkspace } from './types.ts';
import { readVersion, showText } from './versions.ts';

/** Fault `io`. Nothing is written. */
export const describeRestore = async (
  deps: SnapshotStoreDeps,
  workspace: RestoreWorkspace,
  view: {
    readonly request: RestoreRequest;
    readonly target: Target;
    readonly prepared: Prepared;
    readonly isApplied?: boolean;
  },
): Promise<RestoreResult> => {
  const { plan, hash, unrestored, unattributed, made } = view.prepared;
  const context: HunkContext = { deps, root: workspace.root, made };
  const files: RestoreResult['files'] = [];
  // The texts are for choosing. What is being carried out is past that, and comparing them can take as long as it does.
  const isBrief = view.isApplied === true && plan.conflicts.length === 0;
  for (const step of plan.steps) files.push(isBrief ? briefly(step) : await describeStep(context, step));
  const conflicts: RestoreResult['conflicts'] = [];
  for (const conflict of plan.conflicts) conflicts.push(await describeConflict(context, conflict));
  return {
    applied: false,
    plan: hash,
    direction: view.request.direction,
    turns: [...view.target.turns],
    scope: view.request.scope,
    files,
    conflicts,
    unattributed: [...unattributed],
    unrestored: [...unrestored],
  };
};

const briefly = ({ path, action }: RestoreStep): RestoreResult['files'][number] => ({
  path,
  action,
  hunks: [],
  laterTurns: [],
  now: null,
  // biome-ignore lint/suspicious/noThenProperty: a name of the protocol; the object is never awaited
  then: null,
  binary: false,
});

const describeStep = async (
  context: HunkContext,
  step: RestoreStep,
): Promise<RestoreResult['files'][number]> => {
  const { path, action, ours, result } = step;
  const now = showText(await readOurs(context.root, path, ours));
  const after = showText(await readVersion(context.deps, result, context.made.texts));
  const cut = await cutStep(context, step);
  return {
    path,
    action,
    hunks: [...(cut?.hunks ?? [])],
    laterTurns: [],
    now: now.text,
    // biome-ignore lint/suspicious/noThenProperty: a name of the protocol; the object is never awaited
    then: after.text,
    binary: now.binary || after.binary,
  };
};

const describeConflict = async (
  { deps, root }: HunkContext,
  conflict: RestoreConflict,
): Promise<RestoreResult['conflicts'][number]> => {
  const { path, reason, ours, theirs, base, markers } = conflict;
  const marked =
    markers === undefined ? null : showText({ kind: 'bytes', bytes: Buffer.from(markers, 'latin1') });
  return {
    path,
    reason,
    now: showText(await readOurs(root, path, ours)).text,
    // biome-ignore lint/suspicious/noThenProperty: a name of the protocol; the object is never awaited
    then: showText(await readVersion(deps, theirs)).text,
    base: showText(await readVersion(deps, base)).text,
    markers: marked?.text ?? null,
    choices: [...choicesFor(conflict)],
  };
};

/**
 * Conflicts between three texts that merge: the user's later edits and what is to come back stand apart. Lies between
 * two pure steps of core: the plan says what differs, this reads the texts, core says what becomes of them.
 */
import type { RestoreRequest } from '@skein/core/protocol/restore';
import { type FileState, sameFileState } from '@skein/core/restore/file-state';
import { mergeModes } from '@skein/core/restore/merge/merge-modes';
import { type MergeLabels, type MergeOutcome, mergeText } from '@skein/core/restore/merge/merge-text';
import {
  byPath,
  type RestoreConflict,
  type RestorePlan,
  type RestoreStep,
  stepOf,
} from '@skein/core/restore/plan';
import type { SnapshotStoreDeps } from './deps.ts';
import { latin1Of, type MadeTexts } from './made-texts.ts';
import { readOurs } from './read-ours.ts';
import { readVersion } from './versions.ts';

type File = Extract<FileState, { type: 'file' }>;

export interface MergeContext {
  readonly deps: SnapshotStoreDeps;
  readonly root: string;
  readonly made: MadeTexts;
  readonly direction: RestoreRequest['direction'];
}

/** Fault `io`. */
export const mergeConflicts = async (context: MergeContext, plan: RestorePlan): Promise<RestorePlan> => {
  const steps: RestoreStep[] = [];
  const nothing: { path: RestoreConflict['path']; ours: FileState }[] = [];
  const conflicts: RestoreConflict[] = [];
  for (const conflict of plan.conflicts) {
    const merged = await mergeOne(context, conflict);
    if (merged.kind === 'conflict') conflicts.push(merged.conflict);
    else if (sameFileState(merged.result, conflict.ours))
      nothing.push({ path: conflict.path, ours: conflict.ours });
    else steps.push({ ...stepOf({ ...conflict, theirs: merged.result }), action: 'merge' });
  }
  return {
    ...plan,
    steps: [...plan.steps, ...steps].toSorted(byPath),
    nothing: [...plan.nothing, ...nothing].toSorted(byPath),
    conflicts,
  };
};

type Merged =
  | { readonly kind: 'merged'; readonly result: FileState }
  | { readonly kind: 'conflict'; readonly conflict: RestoreConflict };

const mergeOne = async (context: MergeContext, conflict: RestoreConflict): Promise<Merged> => {
  const states = filesOf(conflict);
  if (states === null) return { kind: 'conflict', conflict };
  const mode = mergeModes(states.base.mode, states.ours.mode, states.theirs.mode);
  const text = await mergeContents(context, conflict, states);
  if (mode !== 'conflict' && text.kind === 'state')
    return { kind: 'merged', result: { ...text.state, mode } };
  if (mode !== 'conflict' && text.kind === 'clean') {
    return { kind: 'merged', result: context.made.make(text.text, mode) };
  }
  const markers = text.kind === 'clean' ? text.text : text.kind === 'conflict' ? text.markers : null;
  return { kind: 'conflict', conflict: markers === null ? conflict : { ...conflict, markers } };
};

interface Files {
  readonly base: File;
  readonly ours: File;
  readonly theirs: File;
}

/** Null where there are no three files to merge, or nobody can tell whose change is whose. */
const filesOf = ({ reason, isForeign, base, ours, theirs }: RestoreConflict): Files | null => {
  if (reason !== 'changed_since' || isForeign) return null;
  if (base.type !== 'file' || ours.type !== 'file' || theirs.type !== 'file') return null;
  return { base, ours, theirs };
};

type Contents =
  /** Only one side changed the content: that side's, whatever it is. */
  { readonly kind: 'state'; readonly state: File } | { readonly kind: 'not_text' } | MergeOutcome;

const mergeContents = async (
  context: MergeContext,
  conflict: RestoreConflict,
  files: Files,
): Promise<Contents> => {
  const { base, ours, theirs } = files;
  if (ours.sha256 === base.sha256 || ours.sha256 === theirs.sha256) return { kind: 'state', state: theirs };
  if (theirs.sha256 === base.sha256) return { kind: 'state', state: ours };
  const texts = await textsOf(context, conflict, files);
  return texts === null ? { kind: 'not_text' } : mergeText({ ...texts, labels: LABELS[context.direction] });
};

const LABELS: Readonly<Record<RestoreRequest['direction'], MergeLabels>> = {
  undo: { ours: 'yours', base: 'as the turn left it', theirs: 'before the turn' },
  redo: { ours: 'yours', base: 'as the undo left it', theirs: 'before the undo' },
};

const textsOf = async (
  { deps, root }: MergeContext,
  { path }: RestoreConflict,
  states: Files,
): Promise<{ readonly base: string; readonly ours: string; readonly theirs: string } | null> => {
  const base = latin1Of(await readVersion(deps, states.base));
  const ours = latin1Of(await readOurs(root, path, states.ours));
  const theirs = latin1Of(await readVersion(deps, states.theirs));
  return base === null || ours === null || theirs === null ? null : { base, ours, theirs };
};

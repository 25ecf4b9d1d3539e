/**
 * What a restore would do, path by path: the table of DESIGN section 5 without merges. A path is written
 * only when it is exactly what the turn left; anything else is the user's and becomes a conflict. Whether
 * any conflict stops the whole plan is the caller's rule; nothing here touches a disk.
 */
import type { ConflictReason } from '../protocol/restore.ts';
import { type PathRef, pathKey } from '../record/path-ref.ts';
import { type FileState, sameFileState } from './file-state.ts';

/** One path of a turn or operation, with what lies on disk now. */
export interface RestorePath {
  readonly path: PathRef;
  readonly theirs: FileState;
  readonly base: FileState;
  readonly ours: FileState;
  /** Whether the way to the path is still one of real folders; missing ones count as `ok`. */
  readonly parents: 'ok' | 'link' | 'not_dir';
  /** Folders of the way that are missing, outermost first. */
  readonly missingDirs: readonly PathRef[];
  /** Folders above the path that the turn created, outermost first. */
  readonly madeDirs: readonly PathRef[];
}

export interface RestoreStep {
  readonly path: PathRef;
  readonly action: 'write' | 'create' | 'delete' | 'merge';
  /** What must still be on disk right before the step. */
  readonly ours: FileState;
  readonly result: FileState;
  /** Folders to create first, outermost first. */
  readonly madeDirs: readonly PathRef[];
  /** Folders to remove after all steps if they are empty, innermost first. */
  readonly dropDirs: readonly PathRef[];
}

export interface RestoreConflict {
  readonly path: PathRef;
  readonly reason: ConflictReason;
  readonly ours: FileState;
  readonly theirs: FileState;
  /** What the turn left. */
  readonly base: FileState;
  /** Somebody wrote in the middle of the turn: the turn's own change cannot be told from theirs, so nothing merges. */
  readonly isForeign: boolean;
  /** Where it lies, for the step that a merge or a choice makes of it. */
  readonly missingDirs: readonly PathRef[];
  readonly madeDirs: readonly PathRef[];
  /** Texts with markers, once the bridge has tried to merge them. */
  readonly markers?: string | undefined;
}

export interface RestorePlan {
  readonly kind: 'plan';
  /** Each list is sorted by path. */
  readonly steps: readonly RestoreStep[];
  readonly conflicts: readonly RestoreConflict[];
  /** Paths that are already as wanted. */
  readonly nothing: readonly { readonly path: PathRef; readonly ours: FileState }[];
}

/** Sorts every path into a step, a conflict or nothing to do, by the table of DESIGN section 5. */
export const planRestore = ({ paths }: { readonly paths: readonly RestorePath[] }): RestorePlan => {
  const steps: RestoreStep[] = [];
  const conflicts: RestoreConflict[] = [];
  const nothing: { path: PathRef; ours: FileState }[] = [];
  for (const path of paths.toSorted(byPath)) {
    const verdict = judge(path);
    if (verdict.kind === 'step') steps.push(verdict.step);
    else if (verdict.kind === 'nothing') nothing.push({ path: path.path, ours: path.ours });
    else conflicts.push(conflictOf(path, verdict.reason));
  }
  return { kind: 'plan', steps, conflicts, nothing };
};

/**
 * The text that the bridge hashes into `plan`: every state on disk and every result. `target` names what is
 * undone, so that a plan without files is stale as well when another turn became the newest.
 */
export const planHashInput = (plan: RestorePlan, target: readonly string[] = []): string =>
  JSON.stringify([
    1,
    target,
    plan.steps.map(({ path, action, ours, result }) => [
      pathKey(path),
      action,
      stateText(ours),
      stateText(result),
    ]),
    plan.conflicts.map(({ path, reason, ours }) => [pathKey(path), reason, stateText(ours)]),
    plan.nothing.map(({ path, ours }) => [pathKey(path), stateText(ours)]),
  ]);

type Verdict =
  | { readonly kind: 'step'; readonly step: RestoreStep }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'conflict'; readonly reason: ConflictReason };

function judge(path: RestorePath): Verdict {
  const { theirs, base, ours, parents } = path;
  // The turn left the path as it found it: there is nothing of the turn to take back.
  if (sameFileState(theirs, base)) return { kind: 'nothing' };
  if (parents === 'link') return { kind: 'conflict', reason: 'link_in_the_way' };
  if (sameFileState(ours, theirs)) return { kind: 'nothing' };
  if (parents === 'not_dir') return { kind: 'conflict', reason: 'type_changed' };
  if (!isRestorable(theirs)) return { kind: 'conflict', reason: 'unreadable' };
  if (sameFileState(ours, base)) return { kind: 'step', step: stepOf(path) };
  return { kind: 'conflict', reason: reasonOf(base, ours) };
}

/** Folders, FIFOs, sockets and devices are never written. */
function isRestorable(state: FileState): boolean {
  return state.type === 'file' || state.type === 'link' || state.type === 'absent';
}

function conflictOf(path: RestorePath, reason: ConflictReason): RestoreConflict {
  const { ours, theirs, base, missingDirs, madeDirs } = path;
  return { path: path.path, reason, ours, theirs, base, missingDirs, madeDirs, isForeign: false };
}

/** The step that brings a path to `theirs`. */
export const stepOf = ({
  path,
  theirs,
  ours,
  missingDirs,
  madeDirs,
}: Pick<RestorePath, 'path' | 'theirs' | 'ours' | 'missingDirs' | 'madeDirs'>): RestoreStep => {
  const isDelete = theirs.type === 'absent';
  return {
    path,
    action: isDelete ? 'delete' : ours.type === 'absent' ? 'create' : 'write',
    ours,
    result: theirs,
    madeDirs: isDelete ? [] : missingDirs,
    dropDirs: isDelete ? madeDirs.toReversed() : [],
  };
};

/** Why a path that is neither as it was left nor as it is wanted cannot be touched. */
function reasonOf(base: FileState, ours: FileState): ConflictReason {
  if (ours.type === 'other') return 'unreadable';
  if (ours.type === 'dir') return 'folder_in_the_way';
  if (ours.type === 'absent') return 'deleted_since';
  if (base.type === 'absent') return 'created_since';
  return base.type === ours.type ? 'changed_since' : 'type_changed';
}

function stateText(state: FileState): string {
  switch (state.type) {
    case 'absent':
      return 'absent';
    case 'file':
      return `file ${state.mode.toString(8)} ${state.sha256}`;
    case 'link':
      return `link ${state.target}`;
    case 'dir':
      return `dir ${state.mode.toString(8)} ${state.empty ? 'empty' : 'full'}`;
    case 'other':
      return `other ${state.reason}`;
  }
}

/** By code unit, not by locale: the same plan has the same hash on every machine. */
export const byPath = (a: { readonly path: PathRef }, b: { readonly path: PathRef }): number => {
  const [left, right] = [pathKey(a.path), pathKey(b.path)];
  return left < right ? -1 : Number(left > right);
};

/**
 * Edits of somebody else in the middle of a turn. The gate journals a path's changes as a chain, with the shell's work
 * in it; where one link does not begin as the one before ended, a user or another session wrote in between. The turn
 * was built on that edit, so it cannot be taken back without it: such a path is a conflict, not a step.
 */

import type { TurnId } from '../record/ids.ts';
import { type PathRef, pathKey } from '../record/path-ref.ts';
import { mutationsOf } from './effects.ts';
import { type FileState, sameFileState } from './file-state.ts';
import type { JournalEntry } from './journal-entry.ts';
import { byPath, type RestoreConflict, type RestorePlan } from './plan.ts';

/** The plan with every such path of these turns as a conflict (`changed_since`). */
export const withoutForeignEdits = (
  plan: RestorePlan,
  entries: readonly JournalEntry[],
  turns: readonly TurnId[],
): RestorePlan => {
  const broken = brokenChains(entries, new Set(turns));
  if (broken.size === 0) return plan;
  const isBroken = ({ path }: { readonly path: PathRef }): boolean => broken.has(pathKey(path));
  const conflicts = plan.steps
    .filter(isBroken)
    .map(({ path, ours, result, madeDirs, dropDirs }): RestoreConflict => {
      const made = dropDirs.toReversed();
      const states = { ours, theirs: result, base: ours };
      return {
        path,
        reason: 'changed_since',
        ...states,
        missingDirs: madeDirs,
        madeDirs: made,
        isForeign: true,
      };
    });
  return {
    ...plan,
    steps: plan.steps.filter((step) => !isBroken(step)),
    conflicts: [
      ...plan.conflicts.map((conflict) => (isBroken(conflict) ? { ...conflict, isForeign: true } : conflict)),
      ...conflicts,
    ].toSorted(byPath),
  };
};

function brokenChains(entries: readonly JournalEntry[], turns: ReadonlySet<TurnId>): ReadonlySet<string> {
  const last = new Map<string, FileState>();
  const broken = new Set<string>();
  for (const entry of mutationsOf(entries, turns)) {
    const key = pathKey(entry.path);
    const before = last.get(key);
    if (before !== undefined && !sameFileState(before, entry.pre)) broken.add(key);
    last.set(key, entry.post);
  }
  return broken;
}

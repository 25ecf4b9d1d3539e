/** What a person may choose for a path in conflict, and the step that the choice is. */
import type { ConflictChoice } from '../protocol/restore.ts';
import { pathKey } from '../record/path-ref.ts';
import type { FileState } from './file-state.ts';
import { byPath, type RestoreConflict, type RestorePlan, type RestoreStep, stepOf } from './plan.ts';

/** Empty where nothing can be done here: the way to the path, or what lies there, is not ours to touch. */
export const choicesFor = (conflict: RestoreConflict): readonly ConflictChoice[] => {
  const { reason, ours, theirs, markers } = conflict;
  if (reason === 'link_in_the_way') return ['mine'];
  const canWrite = isPlain(ours) && isPlain(theirs);
  return [
    'mine',
    ...(canWrite ? ['before' as const] : []),
    ...(markers === undefined ? [] : ['markers' as const]),
  ];
};

/** A folder may be full of work, and a device is none of ours. */
function isPlain({ type }: FileState): boolean {
  return type === 'file' || type === 'link' || type === 'absent';
}

export interface Chosen {
  readonly path: RestoreConflict['path'];
  readonly choice: ConflictChoice;
}

/**
 * The plan with every conflict that a choice settles as a step, or as nothing to do. `marked` gives the state that the
 * text with markers would be. A choice that the conflict does not offer settles nothing.
 */
export const withChoices = (
  plan: RestorePlan,
  choices: readonly Chosen[],
  marked: (conflict: RestoreConflict) => FileState | null,
): RestorePlan => {
  const wanted = new Map(choices.map(({ path, choice }) => [pathKey(path), choice]));
  const steps: RestoreStep[] = [...plan.steps];
  const nothing = [...plan.nothing];
  const conflicts: RestoreConflict[] = [];
  for (const conflict of plan.conflicts) {
    const choice = wanted.get(pathKey(conflict.path));
    if (choice === undefined || !choicesFor(conflict).includes(choice)) conflicts.push(conflict);
    else if (choice === 'mine') nothing.push({ path: conflict.path, ours: conflict.ours });
    else {
      const theirs = choice === 'before' ? conflict.theirs : marked(conflict);
      if (theirs === null) conflicts.push(conflict);
      else steps.push(stepOf({ ...conflict, theirs }));
    }
  }
  return { ...plan, steps: steps.toSorted(byPath), nothing: nothing.toSorted(byPath), conflicts };
};

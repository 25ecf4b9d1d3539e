/** Text that is written over other text, cut into hunks; and only the chosen ones of them. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { RestoreHunk, RestoreRequest } from '@skein/core/protocol/restore';
import { pathKey } from '@skein/core/record/path-ref';
import { applyHunks, hunksOf } from '@skein/core/restore/merge/hunks';
import type { RestorePlan, RestoreStep } from '@skein/core/restore/plan';
import { isAtOrBelow } from '@skein/core/restore/select';
import type { SnapshotStoreDeps } from './deps.ts';
import { latin1Of, type MadeTexts } from './made-texts.ts';
import { readOurs } from './read-ours.ts';
import { readVersion } from './versions.ts';

export interface HunkContext {
  readonly deps: SnapshotStoreDeps;
  readonly root: string;
  readonly made: MadeTexts;
}

export interface CutStep {
  readonly hunks: readonly RestoreHunk[];
  readonly now: string;
  readonly then: string;
}

/** Null for what is restored as a whole only. Fault `io`. */
export const cutStep = async (context: HunkContext, step: RestoreStep): Promise<CutStep | null> => {
  if (step.ours.type !== 'file' || step.result.type !== 'file') return null;
  const now = latin1Of(await readOurs(context.root, step.path, step.ours));
  const then = latin1Of(await readVersion(context.deps, step.result, context.made.texts));
  const hunks = now === null || then === null ? null : hunksOf(step.path, now, then);
  return now === null || then === null || hunks === null ? null : { hunks, now, then };
};

/**
 * The plan with only what was chosen: paths as a whole, and hunks. Fault `stale_plan` for a hunk that is not there
 * (any more).
 */
export const chooseHunks = async (
  context: HunkContext,
  plan: RestorePlan,
  { hunks, paths = [] }: Pick<RestoreRequest, 'hunks' | 'paths'>,
): Promise<RestorePlan> => {
  if (hunks === undefined) return plan;
  const left = new Set(hunks);
  const isWhole = ({ path }: Pick<RestoreStep, 'path'>): boolean =>
    paths.some((asked) => isAtOrBelow(path, asked));
  const steps: RestoreStep[] = [];
  for (const step of plan.steps) {
    if (isWhole(step)) {
      steps.push(step);
      continue;
    }
    const cut = await cutStep(context, step);
    const chosen = new Set(cut?.hunks.map(({ id }) => id).filter((id) => left.delete(id)) ?? []);
    if (cut !== null && chosen.size > 0) steps.push(withHunks(context, step, { cut, chosen }));
  }
  const [unknown] = left;
  if (unknown !== undefined)
    throw new BridgeError(
      'stale_plan',
      'One of the chosen hunks is not there any more. Nothing was restored; look again.',
      {
        data: { hunk: unknown },
      },
    );
  const kept = new Set(steps.map(({ path }) => pathKey(path)));
  return {
    ...plan,
    steps,
    conflicts: plan.conflicts.filter((conflict) => isWhole(conflict)),
    nothing: plan.nothing.filter((one) => isWhole(one) || kept.has(pathKey(one.path))),
  };
};

const withHunks = (
  { made }: HunkContext,
  step: RestoreStep,
  { cut, chosen }: { readonly cut: CutStep; readonly chosen: ReadonlySet<string> },
): RestoreStep => {
  if (chosen.size === cut.hunks.length) return step;
  // Permission bits belong to the file as a whole.
  const mode = step.ours.type === 'file' ? step.ours.mode : 0o644;
  return { ...step, result: made.make(applyHunks(cut, cut.hunks, chosen), mode) };
};

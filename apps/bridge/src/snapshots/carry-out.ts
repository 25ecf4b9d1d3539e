/**
 * Carries out an intent that is on disk: folders, temps, one swap a path, emptied folders. Either every path becomes
 * its result, or the restore takes back what it did itself and says why; what a user changed meanwhile stays.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import { type PathRef, showPath } from '@skein/core/record/path-ref';
import { sameFileState } from '@skein/core/restore/file-state';
import { createPace } from '../platform/pace.ts';
import type { StoreContext } from './deps.ts';
import { dropFolders, makeFolders } from './folders.ts';
import {
  inverseOf,
  type Site,
  type Step,
  stageStep,
  stateAt,
  swapStep,
  sweepStep,
  syncStaged,
  syncSteps,
} from './restore-step.ts';

export type CarriedOut =
  | { readonly kind: 'done' }
  /** Nothing is left of it but `left`: paths that somebody changed after our swap. `cause` is what stopped it. */
  | { readonly kind: 'taken_back'; readonly left: readonly PathRef[]; readonly cause: BridgeError };

/** A fault means that even taking back failed: the intent stays open and recovery settles it. */
export const carryOut = async (
  store: StoreContext,
  site: Site,
  steps: readonly Step[],
): Promise<CarriedOut> => {
  const begun: Step[] = [];
  const cause = await attempt(() => goForward(store, site, { steps, begun }));
  if (cause === null) return { kind: 'done' };
  return { kind: 'taken_back', left: await takeBack(store, site, { steps, begun }), cause };
};

/** Null when it went through. The top of an undo that must compensate: every fault becomes the cause. */
async function attempt(task: () => Promise<void>): Promise<BridgeError | null> {
  try {
    await task();
    return null;
  } catch (error) {
    if (error instanceof BridgeError) return error;
    return new BridgeError('io', 'The restore was stopped by an unexpected error.', { cause: error });
  }
}

interface Progress {
  readonly steps: readonly Step[];
  /** Steps whose swap may have happened, also when it failed half-way. */
  readonly begun: Step[];
}

async function goForward(store: StoreContext, site: Site, { steps, begun }: Progress): Promise<void> {
  for (const step of steps) await makeFolders(site.root, step.madeDirs);
  await stageAll(store, site, steps);
  const pace = createPace();
  for (const [index, step] of steps.entries()) {
    await pace();
    await store.failpoint?.(`restore.before-swap.${index}`);
    begun.push(step);
    if ((await swapStep(site, step)) === 'moved') {
      begun.pop();
      throw stale(step);
    }
    await store.failpoint?.(`restore.${step.action === 'delete' ? 'deleted' : 'renamed'}.${index}`);
  }
  await syncSteps(site, steps);
  await dropFolders(
    site.root,
    steps.flatMap(({ dropDirs }) => dropDirs),
  );
  await store.failpoint?.('restore.folders-dropped');
}

async function stageSynced(site: Site, step: Step): Promise<boolean> {
  if (!(await stageStep(site, step))) return false;
  await syncStaged(site, [step]);
  return true;
}

/** Some at a time. */
const STAGED_AT_ONCE = 16;

async function stageAll(store: StoreContext, site: Site, steps: readonly Step[]): Promise<void> {
  const pace = createPace();
  for (let first = 0; first < steps.length; first += STAGED_AT_ONCE) {
    await pace();
    const some = steps.slice(first, first + STAGED_AT_ONCE);
    // All of them have ended when one is a fault: nothing is staged any more while its trace is swept.
    const staged = await Promise.allSettled(some.map((step) => stageStep(site, step)));
    for (const [index, step] of some.entries()) {
      const outcome = staged[index];
      if (outcome?.status === 'rejected') throw outcome.reason;
      if (outcome?.value !== true) throw stale(step);
      await store.failpoint?.(`restore.staged.${first + index}`);
    }
  }
  await syncStaged(site, steps);
}

const stale = ({ path }: Step): BridgeError =>
  new BridgeError(
    'stale_plan',
    `${showPath(path)} changed since the preview. Nothing was restored; look again.`,
    {
      data: { path },
    },
  );

async function takeBack(
  store: StoreContext,
  site: Site,
  { steps, begun }: Progress,
): Promise<readonly PathRef[]> {
  for (const step of steps) await sweepStep(site, step);
  const left: PathRef[] = [];
  for (const step of begun.toReversed()) {
    if (sameFileState(await stateAt(site, step.path), step.ours)) continue;
    const inverse = inverseOf(step);
    await makeFolders(site.root, step.dropDirs.toReversed());
    const isStill = (await stageSynced(site, inverse)) && (await swapStep(site, inverse)) === 'done';
    if (!isStill) left.push(step.path);
    await sweepStep(site, step);
    await store.failpoint?.('restore.put-back');
  }
  await syncSteps(site, begun);
  await dropFolders(
    site.root,
    steps.flatMap(({ madeDirs }) => madeDirs),
  );
  return left;
}

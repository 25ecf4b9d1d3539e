/**
 * Undo and redo, carried out: plan again under the lock, park, intent on disk, swaps, the strand's record, settled.
 * Everything that stands in the way of all of it stops it before the first change.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import type { RestoreRequest, RestoreResult } from '@skein/core/protocol/restore';
import type { OpId, RecordId } from '@skein/core/record/ids';
import { pathKey, showPath } from '@skein/core/record/path-ref';
import type { RecordOf } from '@skein/core/record/schema';
import type { RestorePlan } from '@skein/core/restore/plan';
import { isPartial } from '@skein/core/restore/requested';
import { tempName } from '../platform/tree-files-write.ts';
import { carryOut } from './carry-out.ts';
import { blobsDir, type StoreContext } from './deps.ts';
import { mustBeKept } from './expired.ts';
import { appendEntries, readJournal } from './journal.ts';
import { mustBeSettled } from './open-intents.ts';
import { markOpen, unmark } from './open-marker.ts';
import { type Prepared, prepareRestore, type Target } from './prepare-restore.ts';
import { withRestoreLock } from './restore-lock.ts';
import { describeRestore } from './restore-result.ts';
import { inverseOf, isStaged, type Step } from './restore-step.ts';
import type { RestoreWorkspace } from './types.ts';

export type RestoredFiles = RecordOf<'restore'>['files'];

export interface Application {
  readonly workspace: RestoreWorkspace;
  readonly request: RestoreRequest & { readonly plan?: string | undefined };
  readonly target: Target & { readonly op: OpId; readonly to: string | null };
  readonly commit: (files: RestoredFiles) => Promise<void>;
}

/**
 * Conflicts come back with `applied: false` and nothing written. Faults: `stale_plan` (nothing written), `busy`,
 * `unreadable` (a saved version or a journal line is lost: nothing written), `io` (what was done is taken back).
 * A fault of `commit` passes through with the files restored: recovery then writes the record.
 */
export const applyRestore = async (store: StoreContext, application: Application): Promise<RestoreResult> =>
  withRestoreLock(store, application.workspace.root, () => applyLocked(store, application));

async function applyLocked(store: StoreContext, application: Application): Promise<RestoreResult> {
  const { workspace, request, target } = application;
  // Read once: the strand's lease is ours, so that nobody else writes there, an upkeep neither.
  const journal = await readJournal(store, workspace.strand);
  mustBeKept(journal.entries, { ...target, scope: request.scope });
  mustBeSettled(journal.entries);
  const prepared = await prepareRestore(store, workspace, { request, target, journal, park: true });
  if (request.plan !== undefined && request.plan !== prepared.hash) {
    throw new BridgeError(
      'stale_plan',
      'Files changed since the preview. Nothing was restored; look again.',
      {
        data: { plan: prepared.hash },
      },
    );
  }
  mustBeRestorable(prepared);
  const result = await describeRestore(store, workspace, { request, target, prepared, isApplied: true });
  if (prepared.plan.conflicts.length > 0) return result;
  await store.failpoint?.('restore.parked');
  await carryOutIntent(store, application, prepared.plan);
  return { ...result, applied: true, op: target.op };
}

function mustBeRestorable({ unrestored }: Prepared): void {
  const [first] = unrestored;
  if (first === undefined) return;
  const more = unrestored.length === 1 ? '' : ` (and ${unrestored.length - 1} more)`;
  throw new BridgeError(
    'unreadable',
    `Nothing was restored: ${showPath(first.path)}: ${first.reason}${more}.`,
    {
      data: { unrestored },
    },
  );
}

async function carryOutIntent(
  store: StoreContext,
  application: Application,
  plan: RestorePlan,
): Promise<void> {
  const { workspace, target, commit } = application;
  const { strand, root } = workspace;
  const steps = plan.steps.map((step) => stepFor(store, step));
  await markOpen(store, strand, null);
  await store.failpoint?.('restore.before-intent');
  await appendEntries(store, strand, [{ kind: 'intent', ...intentOf(application), steps }]);
  await store.failpoint?.('restore.after-intent');
  const outcome = await carryOut(store, { root, blobs: blobsDir(store) }, steps);
  const settled = { kind: 'settled' as const, op: target.op };
  if (outcome.kind === 'taken_back') {
    await appendEntries(store, strand, [{ ...settled, outcome: 'abandoned', left: [...outcome.left] }]);
    await unmark(store, strand);
    throw outcome.cause;
  }
  tellOpenTurns(store, root, steps);
  await store.failpoint?.('restore.before-commit');
  await commit(restoredFiles(plan));
  await store.failpoint?.('restore.after-commit');
  await appendEntries(store, strand, [{ ...settled, outcome: 'done', left: [] }]);
  await store.failpoint?.('restore.settled');
  await unmark(store, strand);
}

/** Turns of other sessions that are open here must not take these changes for their commands' work. */
function tellOpenTurns(store: StoreContext, root: string, steps: readonly Step[]): void {
  for (const { restored } of store.openTurns.of(root)) {
    for (const { path, result } of steps) restored.set(pathKey(path), result);
  }
}

function stepFor(store: StoreContext, planned: RestorePlan['steps'][number]): Step {
  const { path, action, ours, result } = planned;
  const step: Step = {
    path,
    action,
    ours,
    result,
    madeDirs: [...planned.madeDirs],
    dropDirs: [...planned.dropDirs],
    temp: null,
  };
  const needsTemp = isStaged(step) || isStaged(inverseOf(step));
  return { ...step, temp: needsTemp ? tempName('restore', store.newName()) : null };
}

function intentOf({ request, target }: Application) {
  const undoes = target.redoes === null ? { turns: [...target.turns] } : { op: target.redoes };
  // The flow takes `to` from the fold of the strand, where it is a record's id.
  const to = target.to as RecordId | null;
  const partial = isPartial(request) ? { partial: true } : {};
  return { op: target.op, direction: request.direction, scope: request.scope, undoes, to, ...partial };
}

function restoredFiles({ steps, nothing }: RestorePlan): RestoredFiles {
  return [
    ...steps.map(({ path, action }) => ({ path, action, result: 'done' as const })),
    ...nothing.map(({ path }) => ({ path, action: 'nothing' as const, result: 'already' as const })),
  ];
}

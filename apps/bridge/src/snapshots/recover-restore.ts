/**
 * What a crash left. An interrupted restore is rolled forward for the paths that are still exactly as parked or already
 * as wanted; any other path is the user's: left alone, named, still parked. May itself be interrupted at any point.
 */
import { isBridgeError } from '@skein/core/protocol/errors';
import type { RecoveryReport } from '@skein/core/protocol/restore';
import { type FileState, sameFileState } from '@skein/core/restore/file-state';
import type { IntentEntry } from '@skein/core/restore/journal-entry';
import { hasBlob } from '../platform/tree-files-blobs.ts';
import type { RestoredFiles } from './apply-restore.ts';
import { blobsDir, type StoreContext } from './deps.ts';
import { dropFolders, makeFolders } from './folders.ts';
import { appendEntries, readJournal } from './journal.ts';
import { openIntents } from './open-intents.ts';
import { readMarker, unmark } from './open-marker.ts';
import { recoverWrites } from './recover-writes.ts';
import { withRestoreLock } from './restore-lock.ts';
import {
  type Site,
  type Step,
  stageStep,
  stateAt,
  swapStep,
  sweepStep,
  syncStaged,
  syncSteps,
} from './restore-step.ts';
import type { RestoreWorkspace, SnapshotStore } from './types.ts';

type Ops = Parameters<SnapshotStore['recover']>[1];
type PathOutcome = RestoredFiles[number]['result'];

/** Faults: `busy` (a restore runs in the workspace), `io`, those of `commit`; the rest is done by the next call. */
export const recoverRestores = async (
  store: StoreContext,
  workspace: RestoreWorkspace,
  ops: Ops,
): Promise<readonly RecoveryReport[]> => {
  const { strand, root } = workspace;
  const { entries } = await readJournal(store, strand);
  const marker = await readMarker(store, strand);
  if (marker === null && openIntents(entries).length === 0) return [];
  return withRestoreLock(store, root, async () => {
    const reports: RecoveryReport[] = [];
    // Read again: somebody else may have settled them before we had the lock.
    const now = await readJournal(store, strand);
    const turn = marker?.turn ?? null;
    if (turn !== null) await recoverWrites(store, workspace, turn);
    for (const intent of openIntents(now.entries))
      reports.push(await recoverOne(store, workspace, { intent, ops }));
    await unmark(store, strand);
    return reports;
  });
};

async function recoverOne(
  store: StoreContext,
  { strand, root }: RestoreWorkspace,
  { intent, ops }: { readonly intent: IntentEntry; readonly ops: Ops },
): Promise<RecoveryReport> {
  const { op, direction, scope, undoes, partial, to, steps } = intent;
  const site: Site = { root, blobs: blobsDir(store) };
  const files: RestoredFiles = [];
  for (const [index, step] of steps.entries()) {
    await store.failpoint?.(`recover.before.${index}`);
    files.push({ path: step.path, action: step.action, result: await rollForward(store, site, step) });
    await store.failpoint?.(`recover.after.${index}`);
  }
  await syncSteps(site, steps);
  await dropFolders(
    root,
    steps.flatMap(({ dropDirs }) => dropDirs),
  );
  await store.failpoint?.('recover.before-commit');
  const left = files.filter(({ result }) => result === 'left').map(({ path }) => path);
  if (!ops.isRecorded(op)) {
    const body = {
      kind: 'restore' as const,
      op,
      undoes,
      direction,
      scope,
      files,
      ...(to === null ? {} : { to }),
      ...(partial === true ? { partial } : {}),
    };
    await ops.commit({ op, body, left });
  }
  await store.failpoint?.('recover.after-commit');
  await appendEntries(store, strand, [{ kind: 'settled', op, outcome: 'recovered', left }]);
  await store.failpoint?.('recover.settled');
  const done = files.filter(({ result }) => result !== 'left').map(({ path }) => path);
  return { strand, op, direction, done, left };
}

/** `already`: the swap had come through before the crash. */
async function rollForward(store: StoreContext, site: Site, step: Step): Promise<PathOutcome> {
  await sweepStep(site, step);
  const now = await stateAt(site, step.path);
  if (sameFileState(now, step.result)) return 'already';
  if (!sameFileState(now, step.ours) || !(await areSaved(site, step))) return 'left';
  try {
    await makeFolders(site.root, step.madeDirs);
    if (!(await stageStep(site, step))) return 'left';
    await syncStaged(site, [step]);
    await store.failpoint?.('recover.staged');
    return (await swapStep(site, step)) === 'done' ? 'done' : 'left';
  } catch (error) {
    if (isRefusedBySystem(error)) return 'left';
    throw error;
  } finally {
    await sweepStep(site, step);
  }
}

/** Before a path is changed, both what lies there and what shall lie there must be in the store. */
async function areSaved(site: Site, { ours, result }: Step): Promise<boolean> {
  const isSaved = async (state: FileState): Promise<boolean> =>
    state.type !== 'file' || hasBlob(site.blobs, state.sha256, state.bytes);
  return (await isSaved(ours)) && isSaved(result);
}

const REFUSALS: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENAMETOOLONG',
  'EISDIR',
  'ENOTDIR',
]);

/** Trying again will not help, so that the session must not wait for it. A full disk is no such case. */
function isRefusedBySystem(error: unknown): boolean {
  if (!isBridgeError(error)) return false;
  return error.code === 'unreadable' || REFUSALS.has(error.data['errno']);
}

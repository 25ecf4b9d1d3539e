/**
 * What a restore would do: effects from the journal, what lies on disk now, the plan of core and its hash. Writes
 * nothing in the workspace; with `park` every file that the plan looks at is saved first.
 */
import { createHash } from 'node:crypto';
import type { RestoreRequest } from '@skein/core/protocol/restore';
import type { OpId, TurnId } from '@skein/core/record/ids';
import { type PathRef, pathKey } from '@skein/core/record/path-ref';
import { mutationsOf, operationEffects, type PathEffect, turnEffects } from '@skein/core/restore/effects';
import { withoutForeignEdits } from '@skein/core/restore/foreign-edits';
import { planHashInput, planRestore, type RestorePath, type RestorePlan } from '@skein/core/restore/plan';
import { hasBlob } from '../platform/tree-files-blobs.ts';
import { blobsDir, type StoreContext } from './deps.ts';
import { lookAt, type Sight } from './file-states.ts';
import { missingFolders } from './folders.ts';
import { mustBeComplete, readJournal } from './journal.ts';
import { partsOf } from './tree-path.ts';
import { bringFromTrees } from './tree-versions.ts';
import type { RestoreWorkspace } from './types.ts';

export interface Target {
  readonly turns: readonly TurnId[];
  readonly redoes: OpId | null;
  readonly expects?: readonly PathRef[] | undefined;
}

interface Unrestored {
  readonly path: PathRef;
  readonly reason: string;
}

export interface Prepared {
  readonly plan: RestorePlan;
  /** sha256 of everything that the plan rests on. */
  readonly hash: string;
  /** Paths whose history or saved version is gone: a reason to refuse the whole. */
  readonly unrestored: readonly Unrestored[];
}

interface Ask {
  readonly request: RestoreRequest;
  readonly target: Target;
  readonly park: boolean;
}

/** Faults: `unreadable` (damaged journal), `io`. */
export const prepareRestore = async (
  store: StoreContext,
  workspace: RestoreWorkspace,
  ask: Ask,
): Promise<Prepared> => {
  const { plan, unknown } = ask.request.scope === 'chat' ? CHAT_ONLY : await planFiles(store, workspace, ask);
  const { turns, redoes } = ask.target;
  const names = [ask.request.direction, ask.request.scope, ...turns, ...(redoes === null ? [] : [redoes])];
  const hash = createHash('sha256').update(planHashInput(plan, names)).digest('hex');
  return { plan, hash, unrestored: [...unknown, ...(await lostVersions(store, plan))] };
};

interface FilePlan {
  readonly plan: RestorePlan;
  readonly unknown: readonly Unrestored[];
}

const CHAT_ONLY: FilePlan = { plan: { kind: 'plan', steps: [], conflicts: [], nothing: [] }, unknown: [] };

async function planFiles(
  store: StoreContext,
  { strand, root }: RestoreWorkspace,
  ask: Ask,
): Promise<FilePlan> {
  const { turns, redoes, expects = [] } = ask.target;
  const journal = await readJournal(store, strand);
  mustBeComplete(journal, redoes === null ? turns : [redoes]);
  await bringFromTrees(store, mutationsOf(journal.entries, new Set(turns)));
  const effects =
    redoes === null ? turnEffects(journal.entries, turns) : operationEffects(journal.entries, redoes);
  const parkIn = ask.park ? blobsDir(store) : undefined;
  const paths: RestorePath[] = [];
  for (const effect of effects) paths.push(onDisk(effect, await lookAt(root, partsOf(effect.path), parkIn)));
  const plan = planRestore({ paths });
  const known = new Set(effects.map(({ path }) => pathKey(path)));
  const unknown = expects
    .filter((path) => !known.has(pathKey(path)))
    .map((path) => ({ path, reason: 'the journal of this session no longer knows it' }));
  return { plan: redoes === null ? withoutForeignEdits(plan, journal.entries, turns) : plan, unknown };
}

function onDisk({ path, theirs, base, madeDirs }: PathEffect, sight: Sight): RestorePath {
  const missingDirs = missingFolders(partsOf(path), sight.foldersThere);
  const shared = { path, theirs, base, madeDirs, missingDirs, ours: sight.state };
  switch (sight.blockedBy) {
    case null:
      return { ...shared, parents: 'ok' };
    case 'link':
      return { ...shared, parents: 'link' };
    case 'not_a_folder':
      return { ...shared, parents: 'not_dir' };
    case 'unreadable': {
      const reason = 'a folder on the way cannot be opened';
      return { ...shared, ours: { type: 'other', reason }, parents: 'ok' };
    }
  }
}

/** A missing version is never read as "there was no file" (TRAPS A1). */
async function lostVersions(store: StoreContext, { steps }: RestorePlan): Promise<readonly Unrestored[]> {
  const lost: Unrestored[] = [];
  for (const { path, result } of steps) {
    if (result.type !== 'file' || (await hasBlob(blobsDir(store), result.sha256, result.bytes))) continue;
    lost.push({ path, reason: 'the saved version is missing' });
  }
  return lost;
}

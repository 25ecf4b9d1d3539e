/**
 * What a restore would do: effects from the journal, what lies on disk now, the plan of core and its hash. Writes
 * nothing in the workspace; with `park` every file that the plan looks at is saved first.
 */
import { createHash } from 'node:crypto';
import type { RestoreRequest } from '@skein/core/protocol/restore';
import type { OpId, TurnId } from '@skein/core/record/ids';
import { type PathRef, pathKey } from '@skein/core/record/path-ref';
import { operationEffects, type PathEffect, turnEffects } from '@skein/core/restore/effects';
import { planHashInput, planRestore, type RestorePath, type RestorePlan } from '@skein/core/restore/plan';
import { hasBlob } from '../platform/tree-files-blobs.ts';
import { blobsDir, type StoreContext } from './deps.ts';
import { lookAt, type Sight } from './file-states.ts';
import { missingFolders } from './folders.ts';
import { withoutForeignEdits } from './foreign-edits.ts';
import { mustBeComplete, readJournal } from './journal.ts';
import type { JournalText } from './journal-lines.ts';
import { partsOf } from './tree-path.ts';
import type { RestoreWorkspace } from './types.ts';

export interface Target {
  readonly turns: readonly TurnId[];
  readonly redoes: OpId | null;
}

export interface Prepared {
  readonly plan: RestorePlan;
  /** sha256 of everything that the plan rests on. */
  readonly hash: string;
  /** Steps whose saved version is gone or whose path may not be written: a reason to refuse the whole. */
  readonly unrestored: readonly { readonly path: PathRef; readonly reason: string }[];
}

const NO_PLAN: RestorePlan = { kind: 'plan', steps: [], conflicts: [], nothing: [] };

/** Faults: `unreadable` (damaged journal), `not_found` (a redo of files that the journal does not know), `io`. */
export const prepareRestore = async (
  store: StoreContext,
  workspace: RestoreWorkspace,
  ask: { readonly request: RestoreRequest; readonly target: Target; readonly park: boolean },
): Promise<Prepared> => {
  const { request, target, park } = ask;
  const plan = request.scope === 'chat' ? NO_PLAN : await planFiles(store, workspace, { target, park });
  const names = [
    request.direction,
    request.scope,
    ...target.turns,
    ...(target.redoes === null ? [] : [target.redoes]),
  ];
  const hash = createHash('sha256').update(planHashInput(plan, names)).digest('hex');
  return { plan, hash, unrestored: await findUnrestorable(store, plan) };
};

async function planFiles(
  store: StoreContext,
  workspace: RestoreWorkspace,
  { target, park }: { readonly target: Target; readonly park: boolean },
): Promise<RestorePlan> {
  const journal = await readJournal(store, workspace.strand);
  const effects = effectsOf(journal, target);
  const parkIn = park ? blobsDir(store) : undefined;
  const paths: RestorePath[] = [];
  for (const effect of effects) {
    paths.push(onDisk(effect, await lookAt(workspace.root, partsOf(effect.path), parkIn)));
  }
  const plan = planRestore({ paths });
  return target.redoes === null ? withoutForeignEdits(plan, journal.entries, target.turns) : plan;
}

function effectsOf(journal: JournalText, { turns, redoes }: Target): readonly PathEffect[] {
  mustBeComplete(journal, redoes === null ? turns : [redoes]);
  return redoes === null ? turnEffects(journal.entries, turns) : operationEffects(journal.entries, redoes);
}

function onDisk({ path, theirs, base, madeDirs }: PathEffect, sight: Sight): RestorePath {
  const missingDirs = missingFolders(partsOf(path), sight.foldersThere);
  const shared = { path, theirs, base, madeDirs, missingDirs };
  switch (sight.blockedBy) {
    case null:
      return { ...shared, ours: sight.state, parents: 'ok' };
    case 'link':
      return { ...shared, ours: sight.state, parents: 'link' };
    case 'not_a_folder':
      return { ...shared, ours: sight.state, parents: 'not_dir' };
    case 'unreadable':
      return {
        ...shared,
        ours: { type: 'other', reason: 'a folder on the way cannot be opened' },
        parents: 'ok',
      };
  }
}

/** A missing version is never read as "there was no file" (TRAPS A1). */
async function findUnrestorable(
  store: StoreContext,
  { steps }: RestorePlan,
): Promise<readonly { readonly path: PathRef; readonly reason: string }[]> {
  const found = new Map<string, { readonly path: PathRef; readonly reason: string }>();
  for (const { path, result } of steps) {
    if (result.type !== 'file' || (await hasBlob(blobsDir(store), result.sha256, result.bytes))) continue;
    found.set(pathKey(path), { path, reason: 'the saved version is missing' });
  }
  return [...found.values()];
}

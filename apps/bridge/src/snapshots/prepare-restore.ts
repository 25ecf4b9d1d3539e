/**
 * What a restore would do: effects from the journal, what lies on disk now, the plan of core and its hash. Writes
 * nothing in the workspace; with `park` every file that the plan looks at is saved first.
 */
import { createHash } from 'node:crypto';
import { BridgeError } from '@skein/core/protocol/errors';
import type { RestoreRequest } from '@skein/core/protocol/restore';
import type { OpId, TurnId } from '@skein/core/record/ids';
import { type PathRef, pathKey, showPath } from '@skein/core/record/path-ref';
import { withChoices } from '@skein/core/restore/choices';
import { mutationsOf, operationEffects, type PathEffect, turnEffects } from '@skein/core/restore/effects';
import { withoutForeignEdits } from '@skein/core/restore/foreign-edits';
import { planHashInput, planRestore, type RestorePath, type RestorePlan } from '@skein/core/restore/plan';
import { isAtOrBelow, selectEffects } from '@skein/core/restore/select';
import { createPace } from '../platform/pace.ts';
import { hasBlob } from '../platform/tree-files-blobs.ts';
import { chooseHunks } from './choose-hunks.ts';
import { blobsDir, parkOf, type StoreContext } from './deps.ts';
import { lookAt, type Sight } from './file-states.ts';
import { missingFolders } from './folders.ts';
import { mustBeComplete } from './journal.ts';
import type { JournalText } from './journal-lines.ts';
import { createMadeTexts, type MadeTexts } from './made-texts.ts';
import { mergeConflicts } from './merge-conflicts.ts';
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
  readonly unattributed: readonly PathRef[];
  /** Contents that the plan makes, by sha256. */
  readonly made: MadeTexts;
}

interface Ask {
  readonly request: RestoreRequest;
  readonly target: Target;
  /** The strand's, as it is now. */
  readonly journal: JournalText;
  readonly park: boolean;
}

/** Faults: `unreadable` (damaged journal), `not_found` (a path), `stale_plan` (a hunk), `io`. */
export const prepareRestore = async (
  store: StoreContext,
  workspace: RestoreWorkspace,
  ask: Ask,
): Promise<Prepared> => {
  const made = createMadeTexts();
  const files =
    ask.request.scope === 'chat' ? CHAT_ONLY : await planFiles(store, workspace, { ...ask, made });
  const { plan, unknown, unattributed } = files;
  if (ask.park)
    await made.park(
      store,
      plan.steps.map(({ result }) => result),
    );
  const { turns, redoes } = ask.target;
  const names = [ask.request.direction, ask.request.scope, ...turns, ...(redoes === null ? [] : [redoes])];
  const hash = createHash('sha256').update(planHashInput(plan, names)).digest('hex');
  const lost = await lostVersions(store, plan, ask.park ? new Set() : new Set(made.texts.keys()));
  return { plan, hash, unrestored: [...unknown, ...lost], unattributed, made };
};

interface FilePlan {
  readonly plan: RestorePlan;
  readonly unknown: readonly Unrestored[];
  readonly unattributed: readonly PathRef[];
}

const CHAT_ONLY: FilePlan = {
  plan: { kind: 'plan', steps: [], conflicts: [], nothing: [] },
  unknown: [],
  unattributed: [],
};

async function planFiles(
  store: StoreContext,
  { root }: RestoreWorkspace,
  ask: Ask & { readonly made: MadeTexts },
): Promise<FilePlan> {
  const { request, made } = ask;
  const { effects, unattributed, entries } = await selected(store, ask);
  const park = ask.park ? parkOf(store) : undefined;
  const pace = createPace();
  const paths: RestorePath[] = [];
  for (const effect of effects.chosen) {
    await pace();
    paths.push(onDisk(effect, await lookAt(root, partsOf(effect.path), park)));
  }
  const plain = planRestore({ paths });
  const own = ask.target.redoes === null ? withoutForeignEdits(plain, entries, ask.target.turns) : plain;
  const context = { deps: store, root, made, direction: request.direction };
  const merged = await mergeConflicts(context, own);
  const chosen = withChoices(merged, request.choices ?? [], ({ markers, ours }) =>
    markers === undefined ? null : made.make(markers, ours.type === 'file' ? ours.mode : 0o644),
  );
  const plan = await chooseHunks(context, chosen, request);
  return { plan, unknown: effects.unknown, unattributed };
}

/** What the turns or the operation did to the paths that were asked for. */
async function selected(store: StoreContext, { request, target, journal }: Ask) {
  const { turns, redoes, expects = [] } = target;
  mustBeComplete(journal, redoes === null ? turns : [redoes]);
  const { entries } = journal;
  if (redoes === null) await bringFromTrees(store, mutationsOf(entries, new Set(turns)));
  const all = redoes === null ? turnEffects(entries, turns) : operationEffects(entries, redoes);
  // With hunks as well, these are the whole paths beside them.
  const asked = request.hunks === undefined ? request.paths : undefined;
  const { effects: chosen, unattributed, unknown: notThere } = selectEffects(all, asked);
  const [missing] = notThere;
  if (missing !== undefined)
    throw new BridgeError('not_found', `${showPath(missing)} was not changed there.`, {
      data: { path: missing },
    });
  const known = new Set(all.map(({ path }) => pathKey(path)));
  const unknown = expects
    .filter(
      (path) =>
        !known.has(pathKey(path)) && (asked === undefined || asked.some((one) => isAtOrBelow(path, one))),
    )
    .map((path) => ({ path, reason: 'the journal of this session no longer knows it' }));
  return { effects: { chosen, unknown }, unattributed, entries };
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
async function lostVersions(
  store: StoreContext,
  { steps }: RestorePlan,
  made: ReadonlySet<string>,
): Promise<readonly Unrestored[]> {
  const lost: Unrestored[] = [];
  const pace = createPace();
  for (const { path, result } of steps) {
    if (result.type !== 'file' || made.has(result.sha256)) continue;
    await pace();
    if (hasBlob(blobsDir(store), result.sha256, result.bytes)) continue;
    lost.push({ path, reason: 'the saved version is missing' });
  }
  return lost;
}

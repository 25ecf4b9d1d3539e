/**
 * One capture: what is different, read into packs, with the trees above it and a commit. Nothing of it is in force
 * before all of it is on disk.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import { type BytePath, joinPath } from '../../platform/byte-path.ts';
import { freeBytes } from '../../platform/files.ts';
import type { PackWriter } from '../../platform/pack-file.ts';
import { buildTrees, commitOf } from './build-trees.ts';
import { createDraft } from './capture-draft.ts';
import type { Captured } from './captured.ts';
import { type Findings, pathOf, type TreeState } from './findings.ts';
import { ignoreContextOf } from './ignore-rules.ts';
import { refreshRules, sameRules, wantedOf } from './rules.ts';
import { type Dirty, enterWanted, type ScanContext, scanAll, scanDirty } from './scan.ts';
import type { LeftOut, TreeChange } from './types.ts';
import type { WorkTreeContext } from './work-tree-context.ts';

export interface CaptureOutcome extends Captured {
  readonly changes: readonly TreeChange[];
  /** Left out for this one only. */
  readonly unknown: readonly LeftOut[];
  readonly removed: readonly BytePath[];
  readonly newFolders: readonly BytePath[];
  readonly isFull: boolean;
  /** Files whose content was read. */
  readonly read: number;
}

export interface CaptureRequest {
  readonly before: Captured | null;
  /** What the watcher told of, or `lost`: look at everything. */
  readonly dirty: Dirty | 'lost';
  readonly onFolder: (path: BytePath, isNew: boolean) => void;
}

/** A commit older than this is made anew: its age tells upkeep that somebody rests on it. */
const COMMIT_MS = 12 * 3600_000;

/** Faults: `io`, `missing_program`, `not_found` (the folder is gone). */
export const takeCapture = async (
  context: WorkTreeContext,
  request: CaptureRequest,
): Promise<CaptureOutcome> => {
  const { before } = request;
  await mustHaveSpace(context);
  const ignore = ignoreContextOf(context, context.place());
  const rules = await refreshRules(ignore, context.place(), before?.rules ?? null);
  const scanOf = (state: TreeState): ScanContext => ({
    state,
    own: context.own,
    onFolder: request.onFolder,
    wanted: (candidates) => wantedOf(ignore, rules, candidates),
  });
  const start = before?.state ?? {
    root: context.root,
    folders: new Map(),
    leftOut: new Map(),
    shared: new Set(),
  };
  const looked = await look(scanOf(start), request, sameRules(before?.rules ?? null, rules));
  if (before !== null && looked.relisted) await dropUnwanted(scanOf(start), looked.findings);
  mustHaveRoot(looked.findings, start, context);
  const draft = createDraft(context, { start, before, relisted: looked.relisted });
  await draft.put(looked.findings);
  for await (const found of enterWanted(() => scanOf(draft.state()), looked.findings.candidates)) {
    await draft.put(found);
  }
  const { state, pack, changes, hidden, removed, newFolders, read } = draft.finish();
  const written = await writeTrees(context, { state, pack, before });
  await context.failpoint?.('trees.sealed');
  const unknown = hidden.map((path): LeftOut => ({ path, reason: 'unignored' }));
  return { ...written, state, rules, changes, removed, newFolders, unknown, isFull: looked.isFull, read };
};

interface Looked {
  readonly findings: Findings;
  /** Every folder was listed again, because the rules changed. */
  readonly relisted: boolean;
  readonly isFull: boolean;
}

/** With more files of a second name a full look costs no more. */
const MAX_SHARED = 5000;

const look = async (scan: ScanContext, { dirty }: CaptureRequest, isSame: boolean): Promise<Looked> => {
  const isFull = dirty === 'lost' || !isSame || scan.state.shared.size > MAX_SHARED;
  const findings = isFull ? await scanAll(scan, !isSame) : await scanDirty(scan, dirty);
  if (!findings.rulesChanged || (isFull && !isSame)) return { findings, relisted: isFull && !isSame, isFull };
  return { findings: await scanAll(scan, true), relisted: true, isFull: true };
};

/** Everything that is captured is asked for again; what is ignored now is let go, not deleted. */
const dropUnwanted = async ({ state, wanted }: ScanContext, findings: Findings): Promise<void> => {
  const known = [...state.folders.values()].flatMap((folder) => [
    ...folder.names.map((name) => ({
      folder: folder.path,
      name,
      path: joinPath(folder.path, name),
      isFolder: false,
    })),
    ...folder.folders.map((name) => ({
      folder: folder.path,
      name,
      path: joinPath(folder.path, name),
      isFolder: true,
    })),
  ]);
  const left = new Set([...findings.gone, ...findings.goneFolders].map(pathOf));
  const asked = known.filter(({ path }) => !left.has(path));
  const stays = new Set((await wanted(asked)).map(({ path }) => path));
  for (const spot of asked) {
    if (stays.has(spot.path)) continue;
    (spot.isFolder ? findings.droppedFolders : findings.dropped).push(spot);
  }
};

const mustHaveSpace = async ({ store, minFreeBytes }: WorkTreeContext): Promise<void> => {
  const free = await freeBytes(store.gitDir);
  if (free >= minFreeBytes) return;
  throw new BridgeError(
    'io',
    `Only ${Math.floor(free / 1024 / 1024)} MiB are free on the disk of the snapshots.`,
    {
      data: { errno: 'ENOSPC', path: store.gitDir },
    },
  );
};

const mustHaveRoot = (findings: Findings, state: TreeState, context: WorkTreeContext): void => {
  if (state.folders.size > 0 || findings.listed.has('' as BytePath)) return;
  const { root } = context.place();
  throw new BridgeError('not_found', `The folder ${root} cannot be read.`, { data: { path: root } });
};

interface ToWrite {
  readonly state: TreeState;
  readonly pack: PackWriter;
  readonly before: Captured | null;
}

const writeTrees = async (
  context: WorkTreeContext,
  { state, pack, before }: ToWrite,
): Promise<Pick<Captured, 'commit' | 'tree' | 'atMs'>> => {
  const root = buildTrees(state, pack);
  const tree = root.toString('hex');
  const nowMs = context.nowMs();
  if (before !== null && before.tree === tree && nowMs - before.atMs < COMMIT_MS) {
    pack.seal();
    return { commit: before.commit, tree, atMs: before.atMs };
  }
  const commit = commitOf(root, Math.floor(nowMs / 1000));
  pack.add('commit', commit.content, commit.id);
  await context.failpoint?.('trees.before-seal');
  pack.seal();
  return { commit: commit.id.toString('hex'), tree, atMs: nowMs };
};

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
import { type EnterContext, enterWanted } from './enter-wanted.ts';
import { type Findings, isLeft, leaveFolder, pathOf, type TreeState } from './findings.ts';
import type { Folder } from './folder.ts';
import { ignoreContextOf } from './ignore-rules.ts';
import { isSameRoot } from './look-at-folder.ts';
import { type Rules, refreshRules, sameRules, wantedOf } from './rules.ts';
import { type Dirty, type ScanContext, scanAll, scanDirty } from './scan.ts';
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
  readonly onFolder: (path: BytePath) => void;
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
  const start = before?.state ?? { root: context.root, folders: new Map(), leftOut: new Map() };
  const looked = await look(context, request, start);
  const { rules, findings, relisted, isFull } = looked;
  const scanOf = (state: TreeState): EnterContext => ({
    ...scanContextOf(context, request, state),
    wanted: (candidates) => wantedOf(ignoreContextOf(context, context.place()), rules, candidates),
  });
  if (before !== null && relisted) await dropUnwanted(scanOf(start), findings);
  const draft = createDraft(context, { start, before, relisted });
  await draft.put(findings);
  for await (const found of enterWanted(() => scanOf(draft.state()), findings.candidates)) {
    await draft.put(found);
  }
  const { state, pack, changes, hidden, removed, newFolders, read } = draft.finish();
  const written = await writeTrees(context, { state, pack, before });
  await context.failpoint?.('trees.sealed');
  const unknown = hidden.map((path): LeftOut => ({ path, reason: 'unignored' }));
  return { ...written, state, rules, changes, removed, newFolders, unknown, isFull, read };
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

interface Looked {
  readonly findings: Findings;
  readonly rules: Rules;
  /** Every folder was listed again, because the rules changed. */
  readonly relisted: boolean;
  readonly isFull: boolean;
}

const look = async (context: WorkTreeContext, request: CaptureRequest, start: TreeState): Promise<Looked> => {
  const isWatched = isSameRoot(start);
  const known = request.before?.rules ?? null;
  const ignore = ignoreContextOf(context, context.place());
  const scan = scanContextOf(context, request, start);
  const rules = await refreshRules(ignore, context.place(), { before: known, isMoved: false });
  const relisted = !sameRules(known, rules);
  const { dirty } = request;
  const isQuick = dirty !== 'lost' && !relisted && isWatched;
  const findings = isQuick ? await scanDirty(scan, dirty) : await scanAll(scan, relisted);
  if (!findings.rulesChanged || known === null) return { findings, rules, relisted, isFull: !isQuick };
  return {
    findings: relisted ? findings : await scanAll(scan, true),
    rules: await refreshRules(ignore, context.place(), { before: rules, isMoved: true }),
    relisted: true,
    isFull: true,
  };
};

const scanContextOf = (
  { own, nowMs }: WorkTreeContext,
  { onFolder }: CaptureRequest,
  state: TreeState,
): ScanContext => ({ state, own, nowMs, onFolder });

/** Everything that is captured is asked for again; what is ignored now is let go, not deleted. */
const dropUnwanted = async ({ state, wanted }: EnterContext, findings: Findings): Promise<void> => {
  const known = [...state.folders.values()].flatMap(spotsIn);
  // Below what was left there may be a link by now, which git refuses to be asked about.
  const asked = known.filter(({ path }) => !isLeft(findings, path));
  const stays = new Set((await wanted(asked)).map(({ path }) => path));
  const hidden = new Set<BytePath>();
  for (const spot of asked) {
    if (stays.has(spot.path)) continue;
    if (spot.isFolder) leaveFolder(findings, spot.path, null);
    else findings.dropped.push(spot);
    if (!spot.isFolder) hidden.add(spot.path);
  }
  // One that changed as well would come back in by being read.
  const reads = findings.reads.splice(0);
  for (const read of reads) if (!hidden.has(pathOf(read))) findings.reads.push(read);
};

const spotsIn = ({ path: folder, names, folders }: Folder) => [
  ...names.map((name) => ({ folder, name, path: joinPath(folder, name), isFolder: false })),
  ...folders.map((name) => ({ folder, name, path: joinPath(folder, name), isFolder: true })),
];

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

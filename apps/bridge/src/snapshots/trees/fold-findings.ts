/** Puts findings in force: a new state beside the old one, and what changed between them. */
import { type BytePath, joinPath, ROOT_PATH } from '../../platform/byte-path.ts';
import { createPace } from '../../platform/pace.ts';
import { type Findings, pathOf, type Read, type Spot, type TreeState } from './findings.ts';
import {
  type Entry,
  entriesOf,
  entryAt,
  type Folder,
  indexOfName,
  newFolder,
  sameVersion,
  subtreeOf,
  versionOf,
  withEntries,
} from './folder.ts';
import { isRacyAt, type ReadOutcome } from './read-entry.ts';
import type { TreeChange } from './types.ts';

export interface Folded {
  readonly state: TreeState;
  readonly changes: readonly TreeChange[];
  /** Folders that are no longer captured. */
  readonly removed: readonly BytePath[];
}

export interface FoldContext {
  readonly before: TreeState;
  readonly read: (read: Read, known: Entry | null) => Promise<ReadOutcome>;
  /** Whether the rules of the capture before hid this new path: then what it was is not known. */
  readonly wasHidden: (path: BytePath) => boolean;
  readonly nowMs: () => number;
}

/** Fault `io`: then nothing changed. */
export const foldFindings = async (context: FoldContext, findings: Findings): Promise<Folded> => {
  const { before } = context;
  const leftOut = leftOutAfter(before, findings);
  const state: TreeState = {
    root: before.root,
    folders: new Map(before.folders),
    leftOut,
    shared: new Set(before.shared),
  };
  const draft = createDraft(state);
  const { changes, removed } = leaveFolders(state, draft, findings);
  for (const spot of findings.newFolders) {
    state.folders.set(pathOf(spot), newFolder(pathOf(spot)));
    draft.setFolder(spot, true);
  }
  if (!state.folders.has(ROOT_PATH)) state.folders.set(ROOT_PATH, newFolder(ROOT_PATH));
  for (const spot of findings.gone) {
    const entry = draft.take(spot);
    if (entry !== null) changes.push({ path: pathOf(spot), before: versionOf(entry), after: null });
  }
  for (const spot of findings.dropped) draft.take(spot);
  await putReads(context, { state, draft, changes }, findings.reads);
  draft.finishAll();
  markListed(state, findings, context.nowMs());
  return { state, changes, removed };
};

/** Folders that are gone, and those that are let go without having been deleted. */
const leaveFolders = (
  state: TreeState,
  draft: Draft,
  findings: Findings,
): { readonly changes: TreeChange[]; readonly removed: readonly BytePath[] } => {
  const changes: TreeChange[] = [];
  const removed: BytePath[] = [];
  const left = [
    ...findings.goneFolders.map((spot) => ({ spot, isDeleted: true })),
    ...findings.droppedFolders.map((spot) => ({ spot, isDeleted: false })),
  ];
  for (const { spot, isDeleted } of left) {
    for (const folder of [...subtreeOf(state.folders, pathOf(spot))]) {
      if (isDeleted) changes.push(...deletions(folder));
      state.folders.delete(folder.path);
      removed.push(folder.path);
    }
    if (state.folders.has(spot.folder)) draft.setFolder(spot, false);
  }
  return { changes, removed };
};

const putReads = async (
  context: FoldContext,
  target: { readonly state: TreeState; readonly draft: Draft; readonly changes: TreeChange[] },
  all: readonly Read[],
): Promise<void> => {
  const pace = createPace();
  for (const [folder, reads] of byFolder(all)) {
    if (!target.state.folders.has(folder)) continue;
    for (const read of reads) {
      await pace();
      const change = await putRead(context, target, read);
      if (change !== null) target.changes.push(change);
    }
    target.draft.finish(folder);
  }
};

/** The change that the content of one file or link makes, or null. */
const putRead = async (
  context: FoldContext,
  { state, draft }: { readonly state: TreeState; readonly draft: Draft },
  read: Read,
): Promise<TreeChange | null> => {
  const known = draft.get(read);
  const path = pathOf(read);
  const before = known === null ? null : versionOf(known);
  const outcome = await context.read(read, known);
  if (outcome.kind === 'entry') {
    draft.put(read, outcome.entry);
    if (outcome.links > 1) state.shared.add(path);
    else state.shared.delete(path);
    state.leftOut.delete(path);
    const after = versionOf(outcome.entry);
    const isHidden = known === null && context.wasHidden(path);
    return sameVersion(before, after) || isHidden ? null : { path, before, after };
  }
  draft.take(read);
  state.shared.delete(path);
  if (outcome.kind === 'gone') return before === null ? null : { path, before, after: null };
  state.leftOut.set(path, outcome.reason);
  return null;
};

const byFolder = (reads: readonly Read[]): ReadonlyMap<BytePath, readonly Read[]> => {
  const groups = new Map<BytePath, Read[]>();
  for (const read of reads) {
    const group = groups.get(read.folder);
    if (group === undefined) groups.set(read.folder, [read]);
    else group.push(read);
  }
  return groups;
};

const deletions = (folder: Folder): TreeChange[] =>
  folder.names.map((name, at) => ({
    path: joinPath(folder.path, name),
    before: versionOf(entryAt(folder, at)),
    after: null,
  }));

const leftOutAfter = (before: TreeState, findings: Findings): TreeState['leftOut'] => {
  const leftOut = new Map(before.leftOut);
  for (const path of findings.backIn) leftOut.delete(path);
  for (const [path, reason] of findings.leftOut) leftOut.set(path, reason);
  return leftOut;
};

type Draft = ReturnType<typeof createDraft>;

/** Folders that change, opened once each; trees of them and of everything above are made anew. */
const createDraft = (state: TreeState) => {
  const open = new Map<BytePath, { entries: Map<BytePath, Entry>; folders: Set<BytePath> }>();
  const draftOf = (path: BytePath) => {
    const found = open.get(path);
    if (found !== undefined) return found;
    const folder = state.folders.get(path) ?? newFolder(path);
    const made = { entries: entriesOf(folder), folders: new Set(folder.folders) };
    open.set(path, made);
    return made;
  };
  const finish = (path: BytePath): void => {
    const draft = open.get(path);
    const folder = state.folders.get(path);
    open.delete(path);
    if (draft === undefined || folder === undefined) return;
    state.folders.set(path, { ...withEntries(folder, draft.entries), folders: [...draft.folders].sort() });
  };
  return {
    get({ folder, name }: Spot): Entry | null {
      const draft = open.get(folder);
      if (draft !== undefined) return draft.entries.get(name) ?? null;
      const known = state.folders.get(folder);
      const at = known === undefined ? -1 : indexOfName(known.names, name);
      return known === undefined || at < 0 ? null : entryAt(known, at);
    },
    put: ({ folder, name }: Spot, entry: Entry): void => {
      draftOf(folder).entries.set(name, entry);
    },
    take({ folder, name }: Spot): Entry | null {
      if (!state.folders.has(folder)) return null;
      const { entries } = draftOf(folder);
      const entry = entries.get(name) ?? null;
      entries.delete(name);
      return entry;
    },
    setFolder({ folder, name }: Spot, isThere: boolean): void {
      const { folders } = draftOf(folder);
      if (isThere) folders.add(name);
      else folders.delete(name);
    },
    finish,
    finishAll(): void {
      for (const path of [...open.keys()]) finish(path);
    },
  };
};

/** A folder that changed in the tick in which it was listed is listed again next time. */
const markListed = (state: TreeState, findings: Findings, nowMs: number): void => {
  for (const [path, { sight, rules }] of findings.listed) {
    const folder = state.folders.get(path);
    if (folder === undefined) continue;
    const mtimeMs = isRacyAt(sight.mtimeMs, nowMs) ? 0 : sight.mtimeMs;
    state.folders.set(path, { ...folder, ino: sight.ino, mtimeMs, ctimeMs: sight.ctimeMs, rules });
  }
};

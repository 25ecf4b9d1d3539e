/** Puts findings in force: a new state beside the old one, and what changed between them. */
import { type BytePath, joinPath } from '../../platform/byte-path.ts';
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
  const state: TreeState = {
    root: before.root,
    folders: new Map(before.folders),
    leftOut: leftOutAfter(before, findings),
  };
  const draft = createDraft(state);
  const changes: TreeChange[] = [];
  const removed: BytePath[] = [];

  const leave = (spot: Spot, isDeleted: boolean): void => {
    for (const folder of [...subtreeOf(state.folders, pathOf(spot))]) {
      if (isDeleted) changes.push(...deletions(folder));
      state.folders.delete(folder.path);
      removed.push(folder.path);
    }
    draft.setFolder(spot, false);
  };
  for (const spot of findings.goneFolders) leave(spot, true);
  for (const spot of findings.droppedFolders) leave(spot, false);
  for (const spot of findings.newFolders) {
    state.folders.set(pathOf(spot), newFolder(pathOf(spot)));
    draft.setFolder(spot, true);
  }
  if (!state.folders.has('' as BytePath)) state.folders.set('' as BytePath, newFolder('' as BytePath));

  for (const spot of findings.gone) {
    const entry = draft.take(spot);
    if (entry !== null) changes.push({ path: pathOf(spot), before: versionOf(entry), after: null });
  }
  for (const spot of findings.dropped) draft.take(spot);
  const pace = createPace();
  for (const [folder, reads] of byFolder(findings.reads)) {
    if (!state.folders.has(folder)) continue;
    for (const read of reads) {
      await pace();
      const change = await putRead(context, { state, draft }, read);
      if (change !== null) changes.push(change);
    }
    draft.finish(folder);
  }
  draft.finishAll();
  markListed(state, findings, context.nowMs());
  return { state, changes, removed };
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
    state.leftOut.delete(path);
    const after = versionOf(outcome.entry);
    const isHidden = known === null && context.wasHidden(path);
    return sameVersion(before, after) || isHidden ? null : { path, before, after };
  }
  draft.take(read);
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

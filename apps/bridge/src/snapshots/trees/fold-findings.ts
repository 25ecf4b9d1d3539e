/** Puts findings in force: a new state beside the old one, and what changed between them. */
import { type BytePath, joinPath, ROOT_PATH } from '../../platform/byte-path.ts';
import { createPace } from '../../platform/pace.ts';
import { type Findings, pathOf, type Read, type Spot, type TreeState } from './findings.ts';
import { type Entry, entryAt, newFolder, sameVersion, subtreeOf, versionOf } from './folder.ts';
import { createFolderDrafts, type FolderDrafts } from './folder-drafts.ts';
import type { ReadOutcome } from './read-entry.ts';
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
}

interface Folding {
  readonly state: TreeState;
  readonly drafts: FolderDrafts;
  readonly changes: TreeChange[];
  readonly removed: BytePath[];
}

/** Fault `io`: then nothing changed. */
export const foldFindings = async (context: FoldContext, findings: Findings): Promise<Folded> => {
  const { before } = context;
  const state: TreeState = {
    root: before.root,
    folders: new Map(before.folders),
    leftOut: leftOutAfter(before, findings),
  };
  const folding: Folding = { state, drafts: createFolderDrafts(state), changes: [], removed: [] };
  foldFolders(folding, findings);
  foldGone(folding, findings);
  await foldReads(context, folding, findings.reads);
  folding.drafts.finish();
  for (const [path, listed] of findings.listed) {
    const folder = state.folders.get(path);
    if (folder !== undefined) state.folders.set(path, { ...folder, ...listed });
  }
  const { changes, removed } = folding;
  return { state, changes, removed };
};

const foldFolders = (folding: Folding, findings: Findings): void => {
  const { state, drafts } = folding;
  for (const spot of findings.goneFolders) leave(folding, spot, true);
  for (const spot of findings.droppedFolders) leave(folding, spot, false);
  if (!state.folders.has(ROOT_PATH)) state.folders.set(ROOT_PATH, newFolder(ROOT_PATH));
  for (const spot of findings.newFolders) {
    if (!state.folders.has(spot.folder)) continue;
    state.folders.set(pathOf(spot), newFolder(pathOf(spot)));
    drafts.setFolder(spot, true);
  }
};

/** `isDeleted`: the files in it were deleted; otherwise it is only let go. */
const leave = ({ state, drafts, changes, removed }: Folding, spot: Spot, isDeleted: boolean): void => {
  for (const folder of [...subtreeOf(state.folders, pathOf(spot))]) {
    if (isDeleted) for (const deletion of deletionsOf(folder)) changes.push(deletion);
    state.folders.delete(folder.path);
    removed.push(folder.path);
  }
  drafts.setFolder(spot, false);
};

const deletionsOf = (folder: Parameters<typeof entryAt>[0]): readonly TreeChange[] =>
  folder.names.map((name, at) => ({
    path: joinPath(folder.path, name),
    before: versionOf(entryAt(folder, at)),
    after: null,
  }));

const foldGone = ({ drafts, changes }: Folding, findings: Findings): void => {
  for (const spot of findings.gone) {
    const entry = drafts.take(spot);
    if (entry !== null) changes.push({ path: pathOf(spot), before: versionOf(entry), after: null });
  }
  for (const spot of findings.dropped) drafts.take(spot);
};

/** A folder at a time, so that only one of them is open. */
const foldReads = async (context: FoldContext, folding: Folding, reads: readonly Read[]): Promise<void> => {
  const pace = createPace();
  for (const [folder, inFolder] of Map.groupBy(reads, (read) => read.folder)) {
    if (!folding.state.folders.has(folder)) continue;
    for (const read of inFolder) {
      await pace();
      const change = await putRead(context, folding, read);
      if (change !== null) folding.changes.push(change);
    }
    folding.drafts.finish(folder);
  }
};

/** The change that the content of one file or link makes, or null. */
const putRead = async (
  context: FoldContext,
  { state, drafts }: Folding,
  read: Read,
): Promise<TreeChange | null> => {
  const known = drafts.get(read);
  const path = pathOf(read);
  const before = known === null ? null : versionOf(known);
  const outcome = await context.read(read, known);
  if (outcome.kind === 'entry') {
    drafts.put(read, outcome.entry);
    state.leftOut.delete(path);
    const after = versionOf(outcome.entry);
    const isHidden = known === null && context.wasHidden(path);
    return sameVersion(before, after) || isHidden ? null : { path, before, after };
  }
  drafts.take(read);
  if (outcome.kind === 'gone') return before === null ? null : { path, before, after: null };
  state.leftOut.set(path, outcome.reason);
  return null;
};

const leftOutAfter = (before: TreeState, findings: Findings): TreeState['leftOut'] => {
  const leftOut = new Map(before.leftOut);
  for (const path of findings.backIn) leftOut.delete(path);
  for (const [path, reason] of findings.leftOut) leftOut.set(path, reason);
  return leftOut;
};

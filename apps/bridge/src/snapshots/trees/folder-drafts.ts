/** Folders that change, opened once each; their trees, and those of everything above, are made anew. */
import type { BytePath } from '../../platform/byte-path.ts';
import type { Spot, TreeState } from './findings.ts';
import {
  type Entry,
  entriesOf,
  entryAt,
  hasSameTree,
  indexOfName,
  newFolder,
  withEntries,
} from './folder.ts';

export interface FolderDrafts {
  get(spot: Spot): Entry | null;
  put(spot: Spot, entry: Entry): void;
  /** Takes the entry out and returns what it was. */
  take(spot: Spot): Entry | null;
  setFolder(spot: Spot, isThere: boolean): void;
  /** Puts one folder in force; without a path all of them. */
  finish(path?: BytePath): void;
}

/** Changes `state.folders`. */
export const createFolderDrafts = (state: TreeState): FolderDrafts => {
  const open = new Map<BytePath, { entries: Map<BytePath, Entry>; folders: Set<BytePath> }>();
  const draftOf = (path: BytePath) => {
    const found = open.get(path);
    if (found !== undefined) return found;
    const folder = state.folders.get(path) ?? newFolder(path);
    const made = { entries: entriesOf(folder), folders: new Set(folder.folders) };
    open.set(path, made);
    return made;
  };
  const finishOne = (path: BytePath): void => {
    const draft = open.get(path);
    const folder = state.folders.get(path);
    open.delete(path);
    if (draft === undefined || folder === undefined) return;
    const made = { ...withEntries(folder, draft.entries), folders: [...draft.folders].sort() };
    // What was only read again needs no new tree.
    state.folders.set(path, hasSameTree(folder, made) ? { ...made, tree: folder.tree } : made);
  };
  return {
    get({ folder, name }) {
      const draft = open.get(folder);
      if (draft !== undefined) return draft.entries.get(name) ?? null;
      const known = state.folders.get(folder);
      const at = known === undefined ? -1 : indexOfName(known.names, name);
      return known === undefined || at < 0 ? null : entryAt(known, at);
    },
    put: ({ folder, name }, entry) => {
      draftOf(folder).entries.set(name, entry);
    },
    take({ folder, name }) {
      if (!state.folders.has(folder)) return null;
      const { entries } = draftOf(folder);
      const entry = entries.get(name) ?? null;
      entries.delete(name);
      return entry;
    },
    setFolder({ folder, name }, isThere) {
      const { folders } = draftOf(folder);
      if (isThere) folders.add(name);
      else folders.delete(name);
    },
    finish(path) {
      for (const one of path === undefined ? [...open.keys()] : [path]) finishOne(one);
    },
  };
};

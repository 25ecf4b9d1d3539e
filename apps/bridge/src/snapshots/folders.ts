/** Folders of a workspace that a change makes on its way, and takes away again when they are empty. */
import type { PathRef } from '@skein/core/record/path-ref';
import { openDir, syncHeldDir } from '../platform/tree-files.ts';
import { makeDir, removeEmptyDir } from '../platform/tree-files-write.ts';
import { type Parts, partsOf, refOf, splitLast } from './tree-path.ts';

/** The folders above `parts` of which only the first `there` exist, outermost first. */
export const missingFolders = (parts: Parts, there: number): readonly PathRef[] =>
  parts.slice(0, -1).flatMap((_, depth) => (depth < there ? [] : [refOf(parts.slice(0, depth + 1))]));

/** Makes folders, outermost first, each on disk when it resolves. One that is there meanwhile is fine. Fault `io`. */
export const makeFolders = async (root: string, folders: readonly PathRef[]): Promise<void> => {
  for (const folder of folders) {
    const { folder: above, name } = splitLast(partsOf(folder));
    const opened = openDir(root, above);
    if (opened.kind !== 'open') return;
    try {
      if (makeDir(opened.dir, name) === 'made') await syncHeldDir(opened.dir);
    } finally {
      opened.dir.close();
    }
  }
};

/** Removes those of the folders that are empty, innermost first; whatever holds a file of anybody's stays. */
export const dropFolders = async (root: string, folders: readonly PathRef[]): Promise<void> => {
  const all = new Map(folders.map((folder) => [JSON.stringify(folder), partsOf(folder)]));
  for (const parts of [...all.values()].toSorted((a, b) => b.length - a.length)) {
    const { folder, name } = splitLast(parts);
    const opened = openDir(root, folder);
    if (opened.kind !== 'open') continue;
    try {
      if (removeEmptyDir(opened.dir, name) === 'removed') await syncHeldDir(opened.dir);
    } finally {
      opened.dir.close();
    }
  }
};

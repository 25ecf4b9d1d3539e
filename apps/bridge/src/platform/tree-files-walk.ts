/** Lists what lies at and below a path of a workspace, without following links, up to a limit. */
import { readdirSync } from 'node:fs';
import { ioFault } from './io-fault.ts';
import { type HeldDir, type Name, openDir, show } from './tree-files.ts';

export interface Walk {
  /** Files, links and other entries, as parts from the root; the path itself when it is no folder. */
  readonly paths: readonly (readonly Name[])[];
  /** Folders that exist: those above the path, itself, and those below. */
  readonly folders: readonly (readonly Name[])[];
}

/** Null when there are more than `max` entries. Fault `io`. */
export const walkFrom = (
  root: string,
  start: readonly Name[],
  options: { readonly skip: (name: Name) => boolean; readonly max: number },
): Walk | null => {
  const paths: (readonly Name[])[] = [];
  const folders = foldersAbove(root, start);
  const waiting: (readonly Name[])[] = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entries = entriesIn(root, path);
    if (entries === null) {
      paths.push(path);
      continue;
    }
    folders.push(path);
    for (const { name, isDir } of entries) {
      if (options.skip(name)) continue;
      (isDir ? waiting : paths).push([...path, name]);
    }
    if (paths.length + waiting.length + folders.length > options.max) return null;
  }
  return { paths, folders };
};

function foldersAbove(root: string, start: readonly Name[]): (readonly Name[])[] {
  const opened = openDir(root, start.slice(0, -1));
  const there = opened.kind === 'open' ? start.length - 1 : opened.depth;
  if (opened.kind === 'open') opened.dir.close();
  return start.slice(0, there).map((_, depth) => start.slice(0, depth + 1));
}

/** Null when the path is no folder. */
function entriesIn(root: string, path: readonly Name[]): ReturnType<typeof readEntries> | null {
  const opened = openDir(root, path);
  if (opened.kind !== 'open') return null;
  try {
    return readEntries(opened.dir, path);
  } finally {
    opened.dir.close();
  }
}

function readEntries(
  dir: HeldDir,
  path: readonly Name[],
): { readonly name: Buffer; readonly isDir: boolean }[] {
  try {
    const entries = readdirSync(dir.at(Buffer.from('.')), { withFileTypes: true, encoding: 'buffer' });
    return entries.map((entry) => ({ name: entry.name, isDir: entry.isDirectory() }));
  } catch (error) {
    throw ioFault(error, 'Reading a folder', path.map(show).join('/'));
  }
}

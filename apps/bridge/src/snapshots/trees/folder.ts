/**
 * What is known of one folder: its files with the values that tell whether one changed, in typed arrays, because
 * 200,000 files as objects would cost the bridge over 100 MB.
 */
import { asBytePath, type BytePath, joinPath } from '../../platform/byte-path.ts';
import type { Sight } from '../../platform/sight.ts';
import type { FileVersion } from './types.ts';

export interface Folder {
  readonly path: BytePath;
  /** Of the folder itself when it was listed; 0 for "list it again". */
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Sorted by byte. */
  readonly names: readonly BytePath[];
  /** Four a file: mtime, ctime (ms), size, inode. */
  readonly numbers: Float64Array;
  /** One a file: permission bits, LINK, RACY, SHARED. */
  readonly flags: Uint32Array;
  /** 52 bytes a file: git's id and the sha256. */
  readonly ids: Buffer;
  /** Where links lead, by name. */
  readonly links: ReadonlyMap<BytePath, BytePath>;
  /** Folders below that are captured, sorted. */
  readonly folders: readonly BytePath[];
  /** Tells whether `.gitignore` changed; 0 without one, NaN for "it may have". */
  readonly rules: number;
  /** Git's tree of it, in the store; null when it must be made anew, empty for a folder without files. */
  readonly tree: Buffer | null;
}

export interface Entry {
  readonly sight: Pick<Sight, 'mtimeMs' | 'ctimeMs' | 'size' | 'ino' | 'mode' | 'links'>;
  readonly isLink: boolean;
  /** It may have been written again in the same tick of the clock: read it again at the next look. */
  readonly isRacy: boolean;
  readonly oid: Buffer;
  readonly sha256: Buffer;
  readonly target: BytePath | null;
}

const LINK = 1 << 16;
const RACY = 1 << 17;
/** It has other names: whoever writes through one of them is not seen in this folder. */
const SHARED = 1 << 18;
const ID = 52;

export const indexOfName = (names: readonly BytePath[], name: BytePath): number => {
  let [low, high] = [0, names.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = names[middle] ?? '';
    if (found === name) return middle;
    if (found < name) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
};

/** Whether the file at `at` is, by its numbers, the one that was read; a racy one never is. */
export const isSeen = (folder: Folder, at: number, sight: Sight): boolean => {
  const flags = folder.flags[at] ?? 0;
  const { numbers } = folder;
  return (
    (flags & RACY) === 0 &&
    numbers[at * 4] === sight.mtimeMs &&
    numbers[at * 4 + 1] === sight.ctimeMs &&
    numbers[at * 4 + 2] === sight.size &&
    numbers[at * 4 + 3] === sight.ino &&
    ((flags & LINK) !== 0) === (sight.type === 'link')
  );
};

/** Files that may have changed although nothing in their folder was told of. */
export const suspectsIn = function* ({ names, flags }: Folder): Generator<BytePath> {
  for (let at = 0; at < flags.length; at += 1) {
    const name = names[at];
    if (((flags[at] ?? 0) & (RACY | SHARED)) !== 0 && name !== undefined) yield name;
  }
};

export const entryAt = (folder: Folder, at: number): Entry => {
  const flags = folder.flags[at] ?? 0;
  const { numbers, ids } = folder;
  const number = (which: number): number => numbers[at * 4 + which] ?? 0;
  return {
    sight: {
      mtimeMs: number(0),
      ctimeMs: number(1),
      size: number(2),
      ino: number(3),
      mode: flags & 0o7777,
      links: (flags & SHARED) !== 0 ? 2 : 1,
    },
    isLink: (flags & LINK) !== 0,
    isRacy: (flags & RACY) !== 0,
    oid: ids.subarray(at * ID, at * ID + 20),
    sha256: ids.subarray(at * ID + 20, at * ID + ID),
    target: folder.links.get(folder.names[at] ?? asBytePath('')) ?? null,
  };
};

export const entriesOf = (folder: Folder): Map<BytePath, Entry> =>
  new Map(folder.names.map((name, at) => [name, entryAt(folder, at)]));

export const newFolder = (path: BytePath): Folder => ({
  path,
  ino: 0,
  mtimeMs: 0,
  ctimeMs: 0,
  names: [],
  numbers: new Float64Array(0),
  flags: new Uint32Array(0),
  ids: Buffer.alloc(0),
  links: new Map(),
  folders: [],
  rules: 0,
  tree: null,
});

export const withEntries = (folder: Folder, entries: ReadonlyMap<BytePath, Entry>): Folder => {
  const names = [...entries.keys()].sort();
  const numbers = new Float64Array(names.length * 4);
  const flags = new Uint32Array(names.length);
  const ids = Buffer.alloc(names.length * ID);
  const links = new Map<BytePath, BytePath>();
  for (const [at, name] of names.entries()) {
    const entry = entries.get(name);
    if (entry === undefined) continue;
    const { sight } = entry;
    numbers.set([sight.mtimeMs, sight.ctimeMs, sight.size, sight.ino], at * 4);
    flags[at] =
      sight.mode |
      (entry.isLink ? LINK : 0) |
      (entry.isRacy ? RACY : 0) |
      (!entry.isLink && sight.links > 1 ? SHARED : 0);
    ids.set(entry.oid, at * ID);
    ids.set(entry.sha256, at * ID + 20);
    if (entry.target !== null) links.set(name, entry.target);
  }
  return { ...folder, names, numbers, flags, ids, links, tree: null };
};

/** Whether git's trees of both are the same, as long as nothing in the folders below changed. */
export const hasSameTree = (a: Folder, b: Folder): boolean =>
  a.ids.equals(b.ids) &&
  isSameList(a.names, b.names) &&
  isSameList(a.folders, b.folders) &&
  a.flags.every((flags, at) => ((flags ^ (b.flags[at] ?? 0)) & (LINK | 0o100)) === 0);

const isSameList = (a: readonly BytePath[], b: readonly BytePath[]): boolean =>
  a.length === b.length && a.every((name, at) => name === b[at]);

export const versionOf = (entry: Entry): FileVersion => ({
  type: entry.isLink ? 'link' : 'file',
  mode: entry.isLink ? 0 : entry.sight.mode,
  bytes: entry.isLink ? (entry.target?.length ?? 0) : entry.sight.size,
  oid: entry.oid.toString('hex'),
  sha256: entry.sha256.toString('hex'),
  target: entry.target,
});

export const sameVersion = (a: FileVersion | null, b: FileVersion | null): boolean =>
  a === null || b === null ? a === b : a.type === b.type && a.oid === b.oid && a.mode === b.mode;

/** A folder and everything known below it. */
export const subtreeOf = function* (
  folders: ReadonlyMap<BytePath, Folder>,
  path: BytePath,
): Generator<Folder> {
  const folder = folders.get(path);
  if (folder === undefined) return;
  yield folder;
  for (const name of folder.folders) yield* subtreeOf(folders, joinPath(path, name));
};

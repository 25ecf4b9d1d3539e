/**
 * Files that survive a crash: private folders, atomic replacement, directory entries on disk.
 * Owns no format. Every function that fails throws an `io` fault that names the path.
 */
import { constants, type Dirent } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isBridgeError } from '@skein/core/protocol/errors';
import { newName } from './ids.ts';
import { errnoOf, ioFault } from './io-fault.ts';

const TEMP_NAME = /^\..*\.[0-9a-z]{12}\.skein-tmp$/s;

/** Folders whose entries this process has seen to: each is synced once, not with every blob that goes into it. */
const saved = new Set<string>();

/**
 * Makes a folder and its missing parents, each 0700 whatever the umask, each entry synced. A folder
 * that is already there keeps its mode: it may be the user's.
 */
export const makePrivateDir = async (path: string): Promise<void> => {
  let isNew = false;
  try {
    await fs.mkdir(path, { mode: 0o700 });
    isNew = true;
    await fs.chmod(path, 0o700);
  } catch (error) {
    const errno = errnoOf(error);
    // A file system that answers so although the parent is there makes no folders.
    if (errno === 'ENOENT' && dirname(path) !== path && !(await isThere(dirname(path)))) {
      await makePrivateDir(dirname(path));
      await makePrivateDir(path);
      return;
    }
    if (errno !== 'EEXIST' || !(await isDir(path))) throw ioFault(error, 'Making a folder', path);
  }
  if (isNew) await syncDir(dirname(path));
  else if (!saved.has(path)) await syncEntryOfOthers(path);
  saved.add(path);
};

/**
 * Whoever made the folder may have died, or still be at work, before its entry was on disk. Where we may not
 * read the parent we cannot have made it: then it is not ours to save.
 */
const syncEntryOfOthers = async (path: string): Promise<void> => {
  try {
    await syncDir(dirname(path));
  } catch (error) {
    if (!isBridgeError(error) || error.data['errno'] !== 'EACCES') throw error;
  }
};

/** A dangling link is there, and is no folder. */
const isDir = async (path: string): Promise<boolean> => {
  try {
    return (await fs.stat(path)).isDirectory();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw ioFault(error, 'Looking at a folder', path);
  }
};

const isThere = async (path: string): Promise<boolean> => (await statIfThere(path)) !== null;

/** Resolves when the entries of a folder are on disk. Where a system cannot do that (Windows) it does nothing. */
export const syncDir = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  try {
    const handle = await fs.open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    // Some file systems have no fsync for folders; they promise nothing that we could ask for.
    if (errnoOf(error) !== 'EINVAL') throw ioFault(error, 'Saving a folder', path);
  }
};

/**
 * Replaces a file as a whole: temp beside it, fdatasync, rename, folder synced. Readers see the old or the new
 * bytes, also after a power loss. Resolves when the new file is on disk; on failure the old one is untouched.
 */
export const writeFileAtomic = async (
  path: string,
  bytes: Uint8Array | string,
  options: { readonly mode?: number } = {},
): Promise<void> => {
  const mode = options.mode ?? 0o600;
  const temp = join(dirname(path), `.${basename(path).slice(0, 60)}.${newName()}.skein-tmp`);
  try {
    const handle = await fs.open(temp, 'wx', mode);
    try {
      await handle.chmod(mode);
      await handle.writeFile(bytes);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await fs.rename(temp, path);
  } catch (error) {
    await fs.rm(temp, { force: true });
    throw ioFault(error, 'Saving a file', path);
  }
  await syncDir(dirname(path));
};

/**
 * Builds a folder beside its place and renames it there, so that nobody finds half of it. When another process was
 * faster its folder stays and ours goes. Durable when it resolves.
 */
export const renameIntoPlace = async (path: string, fill: (temp: string) => Promise<void>): Promise<void> => {
  await makePrivateDir(dirname(path));
  const temp = join(dirname(path), `.${basename(path).slice(0, 60)}.${newName()}.skein-tmp`);
  try {
    await makePrivateDir(temp);
    await fill(temp);
    await fs.rename(temp, path);
  } catch (error) {
    await fs.rm(temp, { recursive: true, force: true });
    const errno = errnoOf(error);
    if ((errno === 'ENOTEMPTY' || errno === 'EEXIST') && (await isDir(path))) return;
    throw ioFault(error, 'Making a folder', path);
  }
  await syncDir(dirname(path));
};

/** The bytes of a file, null when there is none. */
export const readFileIfThere = async (path: string): Promise<Uint8Array | null> => {
  try {
    return await fs.readFile(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return null;
    throw ioFault(error, 'Reading a file', path);
  }
};

/** Within one file system; what is there already is replaced. Nothing happens when there is nothing to move. Fault `io`. */
export const moveFile = async (from: string, to: string): Promise<void> => {
  try {
    await fs.rename(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw ioFault(error, 'Moving a file', from);
  }
};

/** How many bytes may still be written on the file system that holds this path. Fault `io`. */
export const freeBytes = async (path: string): Promise<number> => {
  try {
    const { bavail, bsize } = await fs.statfs(path);
    return bavail * bsize;
  } catch (error) {
    throw ioFault(error, 'Asking for free space', path);
  }
};

/** Removes a file if it is there; the folder is synced. */
export const removeFile = async (path: string): Promise<void> => {
  try {
    await fs.rm(path, { force: true });
  } catch (error) {
    throw ioFault(error, 'Removing a file', path);
  }
  await syncDir(dirname(path));
};

/** Size, times and inode without following a final link; null when there is nothing. */
export const statIfThere = async (path: string): Promise<Awaited<ReturnType<typeof fs.lstat>> | null> => {
  try {
    return await fs.lstat(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return null;
    throw ioFault(error, 'Reading a file', path);
  }
};

export interface DirEntry {
  /** The name as bytes; `name` is null when they are not UTF-8 (TRAPS V8). */
  readonly bytes: Uint8Array;
  readonly name: string | null;
  readonly kind: 'file' | 'dir' | 'link' | 'other';
}

/** Entries of a folder in no order; an absent folder is empty. */
export const listDir = async (path: string): Promise<readonly DirEntry[]> => {
  try {
    const entries = await fs.readdir(path, { withFileTypes: true, encoding: 'buffer' });
    return entries.map((entry) => ({ bytes: entry.name, name: utf8Name(entry.name), kind: kindOf(entry) }));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw ioFault(error, 'Reading a folder', path);
  }
};

const utf8Name = (bytes: Buffer): string | null => {
  const name = bytes.toString('utf8');
  return Buffer.from(name, 'utf8').equals(bytes) ? name : null;
};

const kindOf = (entry: Dirent<Buffer>): DirEntry['kind'] => {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'dir';
  return entry.isSymbolicLink() ? 'link' : 'other';
};

const removeTemp = async (path: string): Promise<void> => {
  try {
    await fs.rm(path, { force: true });
  } catch (error) {
    throw ioFault(error, 'Removing a file', path);
  }
};

/** Removes temps of atomic writes that a crash left in this folder. Returns how many. Fault `io`. */
export const sweepTemps = async (dir: string, olderThanMs: number): Promise<number> => {
  let removed = 0;
  for (const entry of await listDir(dir)) {
    if (entry.kind !== 'file' || entry.name === null || !TEMP_NAME.test(entry.name)) continue;
    const path = join(dir, entry.name);
    const stat = await statIfThere(path);
    if (stat === null || Date.now() - Number(stat.mtimeMs) < olderThanMs) continue;
    await removeTemp(path);
    removed += 1;
  }
  return removed;
};

/**
 * Looking at many files of a work tree, cheaply and without following links. Synchronous: thousands of small
 * asynchronous calls take ten times as long, so callers give the event loop a turn themselves.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { asBytePath, type BytePath, fsPathOf } from './byte-path.ts';
import { errnoOf, ioFault } from './io-fault.ts';

export interface Sight {
  readonly type: 'file' | 'link' | 'dir' | 'other';
  /** Permission bits, 0o7777. */
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly links: number;
}

/** Null when there is nothing; `unreadable` when a folder on the way may not be entered. Fault `io`. */
export const lookAtPath = (root: BytePath, path: BytePath): Sight | null | 'unreadable' => {
  const where = fsPathOf(root, path);
  try {
    const stat = lstatSync(where, { throwIfNoEntry: false });
    return stat === undefined ? null : sightOf(stat);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return null;
    if (errno === 'EACCES' || errno === 'EPERM' || errno === 'ENAMETOOLONG' || errno === 'ELOOP')
      return 'unreadable';
    throw ioFault(error, 'Looking at a file', String(where));
  }
};

/**
 * Names in a folder, unsorted; null when it is gone or no folder any more; `unreadable` when we may not list it.
 * Fault `io`.
 */
export const namesInFolder = (root: BytePath, path: BytePath): readonly BytePath[] | null | 'unreadable' => {
  const where = fsPathOf(root, path);
  try {
    return readdirSync(where, { encoding: 'latin1' }).map(asBytePath);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return null;
    if (errno === 'EACCES' || errno === 'EPERM' || errno === 'ENAMETOOLONG' || errno === 'ELOOP')
      return 'unreadable';
    throw ioFault(error, 'Reading a folder', String(where));
  }
};

export const sightOf = (stat: Stats): Sight => ({
  type: stat.isFile() ? 'file' : stat.isDirectory() ? 'dir' : stat.isSymbolicLink() ? 'link' : 'other',
  mode: stat.mode & 0o7777,
  size: stat.size,
  mtimeMs: stat.mtimeMs,
  ctimeMs: stat.ctimeMs,
  ino: stat.ino,
  links: stat.nlink,
});

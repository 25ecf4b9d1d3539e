/** Many files at a glance: names with the values that tell whether a file is the one seen before. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errnoOf, ioFault } from './io-fault.ts';

/** A file is unchanged when all three are equal. */
export interface FileKey {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

export interface ScannedEntry extends FileKey {
  readonly name: string;
  readonly path: string;
  readonly kind: 'file' | 'dir';
}

const PER_TURN = 500;

/**
 * Files and folders of one folder (links and others left out), an absent folder is empty. Synchronous calls, because
 * thousands of small asynchronous ones take ten times as long; the event loop gets a turn every 500 entries.
 */
export const scanDir = async (path: string): Promise<readonly ScannedEntry[]> => {
  const found: ScannedEntry[] = [];
  let seen = 0;
  for (const name of namesIn(path)) {
    const entry = scanFile(join(path, name), name);
    if (entry !== null) found.push(entry);
    seen += 1;
    if (seen % PER_TURN === 0) await nextTurn();
  }
  return found;
};

/** One file or folder; null when there is nothing, or something else. */
export const scanFile = (path: string, name = ''): ScannedEntry | null => {
  try {
    const stat = lstatSync(path);
    if (!stat.isFile() && !stat.isDirectory()) return null;
    const { size, mtimeMs, ino } = stat;
    return { name, path, kind: stat.isFile() ? 'file' : 'dir', size, mtimeMs, ino };
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return null;
    throw ioFault(error, 'Reading a file', path);
  }
};

export const sameKey = (a: FileKey, b: FileKey): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;

const namesIn = (path: string): readonly string[] => {
  try {
    return readdirSync(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw ioFault(error, 'Reading a folder', path);
  }
};

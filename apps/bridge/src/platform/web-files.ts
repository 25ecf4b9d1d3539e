/** The files of the built page, listed once: a request can only name what is on this list, never a path. */
import * as fs from 'node:fs/promises';
import { join, sep } from 'node:path';
import { errnoOf, ioFault } from './io-fault.ts';

export interface WebFile {
  /** `/`-separated, relative to the folder, as in `_next/static/chunks/a.js`. */
  readonly path: string;
  readonly bytes: number;
  /** Null when the file has gone since, as during a new build. */
  read(): Promise<Uint8Array | null>;
}

/** Regular files only; links are left out. An absent folder has none. */
export const listWebFiles = async (webDir: string): Promise<readonly WebFile[]> => {
  try {
    const entries = await fs.readdir(webDir, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    return await Promise.all(
      files.map(async (file) => ({
        path: file.slice(webDir.length).split(sep).filter(Boolean).join('/'),
        bytes: (await fs.stat(file)).size,
        read: () => readOrNull(file),
      })),
    );
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw ioFault(error, 'Reading the built page', webDir);
  }
};

const readOrNull = async (file: string): Promise<Uint8Array | null> => {
  try {
    return await fs.readFile(file);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw ioFault(error, 'Reading the built page', file);
  }
};

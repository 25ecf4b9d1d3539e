/** How much room things take and how much is left. File lengths, as `ls -l` shows them; links count nothing. */
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { listDir } from './files.ts';
import { errnoOf, ioFault } from './io-fault.ts';

/** Everything below a folder; what goes meanwhile counts nothing, an absent folder is 0. Fault `io`. */
export const bytesBelow = async (path: string): Promise<number> => {
  let bytes = 0;
  const waiting = [path];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const { name, kind } of await entriesOf(folder)) {
      if (name === null) continue;
      if (kind === 'dir') waiting.push(join(folder, name));
      else if (kind === 'file') bytes += await lengthOf(join(folder, name));
    }
  }
  return bytes;
};

const entriesOf = async (folder: string): ReturnType<typeof listDir> => {
  try {
    return await listDir(folder);
  } catch (error) {
    if (error instanceof Error && errnoOf(error.cause) === 'ENOTDIR') return [];
    throw error;
  }
};

const lengthOf = async (path: string): Promise<number> => {
  try {
    return (await fs.lstat(path)).size;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 0;
    throw ioFault(error, 'Reading a file', path);
  }
};

/** What this user may still write on the disk of that folder. Fault `io`. */
export const freeBytes = async (path: string): Promise<number> => {
  try {
    const { bavail, bsize } = await fs.statfs(path);
    return bavail * bsize;
  } catch (error) {
    throw ioFault(error, 'Looking at the disk', path);
  }
};

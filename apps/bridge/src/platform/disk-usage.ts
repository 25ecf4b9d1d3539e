/** How many bytes a folder holds, by the lengths of its files. */
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, ioFault } from './io-fault.ts';

/** Follows no link; what goes away meanwhile counts as gone. Fault `io`. */
export const bytesIn = async (path: string): Promise<number> => {
  let total = 0;
  const waiting = [path];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    try {
      for await (const entry of await opendir(folder)) {
        const inside = join(folder, entry.name);
        if (entry.isDirectory()) waiting.push(inside);
        else if (entry.isFile()) total += (await lstat(inside)).size;
      }
    } catch (error) {
      const errno = errnoOf(error);
      if (errno !== 'ENOENT' && errno !== 'ENOTDIR') throw ioFault(error, 'Measuring a folder', folder);
    }
  }
  return total;
};

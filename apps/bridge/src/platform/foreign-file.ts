/**
 * Files that other programs own: opened for reading only, never through a FIFO or a device, without touching the
 * time of last access where the system allows that. Nothing here can write.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { errnoOf, ioFault } from './io-fault.ts';
import type { FileKey } from './scan-dir.ts';

export interface ForeignFile extends FileKey {
  /** At most `length` bytes from `from`; fewer only at the end of the file. They lie in `into` if given. Fault `io`. */
  read(from: number, length: number, into?: Buffer): Promise<Buffer>;
  /** sha256 in hex of a range. */
  hash(from: number, length: number): Promise<string>;
  close(): Promise<void>;
}

const BLOCK = 256 * 1024;
const NO_ATIME = 'O_NOATIME' in constants ? constants.O_NOATIME : 0;
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Null when there is nothing, or no regular file. Fault `io` when it may not be read. */
export const openForeign = async (path: string): Promise<ForeignFile | null> => {
  const handle = await openQuietly(path);
  if (handle === null) return null;
  try {
    const stat = await handle.stat();
    if (stat.isFile()) return foreignFile(path, handle, stat);
  } catch (error) {
    await handle.close();
    throw ioFault(error, 'Reading a file', path);
  }
  await handle.close();
  return null;
};

/** Only the owner may ask for the access time to stay (open(2), O_NOATIME). */
const openQuietly = async (path: string): Promise<fs.FileHandle | null> => {
  try {
    return await fs.open(path, FLAGS | NO_ATIME);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EPERM' && NO_ATIME !== 0) return openPlainly(path);
    return absentOr(error, path);
  }
};

const openPlainly = async (path: string): Promise<fs.FileHandle | null> => {
  try {
    return await fs.open(path, FLAGS);
  } catch (error) {
    return absentOr(error, path);
  }
};

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENXIO', 'ELOOP', 'EISDIR', 'ENODEV']);

const absentOr = (error: unknown, path: string): null => {
  if (ABSENT.has(errnoOf(error) ?? '')) return null;
  throw ioFault(error, 'Reading a file', path);
};

const foreignFile = (path: string, handle: fs.FileHandle, stat: FileKey): ForeignFile => {
  const read: ForeignFile['read'] = async (from, length, into) => {
    const buffer = into ?? Buffer.allocUnsafe(length);
    let got = 0;
    try {
      while (got < length) {
        const { bytesRead } = await handle.read(buffer, got, length - got, from + got);
        if (bytesRead === 0) break;
        got += bytesRead;
      }
    } catch (error) {
      throw ioFault(error, 'Reading a file', path);
    }
    return buffer.subarray(0, got);
  };
  return {
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    ino: stat.ino,
    read,
    async hash(from, length) {
      const hash = createHash('sha256');
      for (let at = from; at < from + length; at += BLOCK)
        hash.update(await read(at, Math.min(BLOCK, from + length - at)));
      return hash.digest('hex');
    },
    close: () => handle.close(),
  };
};

/** Reading the content of files of a work tree: never through a link, never one that blocks (TRAPS A71). */
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { type BytePath, fsPathOf } from './byte-path.ts';
import { errnoOf, ioFault } from './io-fault.ts';
import { type Sight, sightOf } from './sight.ts';

export type Content =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly sight: Sight }
  /** A pipe, a folder, gone, or it changed while it was read: look again later. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'unreadable' };

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Memory that is used again for the next file: what was read before is gone then. */
export interface ReadBuffer {
  /** `bytes` at least, not cleared. */
  readonly take: (bytes: number) => Buffer;
}

/** Many small files would leave more memory to collect than the collector keeps up with. */
export const createReadBuffer = (): ReadBuffer => {
  let buffer = Buffer.allocUnsafeSlow(256 * 1024);
  return {
    take(bytes) {
      if (bytes > buffer.length) buffer = Buffer.allocUnsafeSlow(bytes * 2);
      return buffer;
    },
  };
};

/** The whole of a regular file, in `memory` until the next read. Fault `io`. */
export const readContent = (root: BytePath, path: BytePath, memory: ReadBuffer): Content => {
  const opened = openRegular(root, path);
  if (typeof opened !== 'number') return opened;
  try {
    const before = fstatSync(opened);
    if (!before.isFile()) return { kind: 'moved' };
    // One byte more, so that a file which grew meanwhile is seen.
    const buffer = memory.take(before.size + 1).subarray(0, before.size + 1);
    let length = 0;
    for (;;) {
      const got = readSync(opened, buffer, length, buffer.length - length, null);
      if (got === 0) break;
      length += got;
      if (length > before.size) return { kind: 'moved' };
    }
    const after = fstatSync(opened);
    if (length !== before.size || !isUntouched(before, after)) return { kind: 'moved' };
    return { kind: 'bytes', bytes: buffer.subarray(0, length), sight: sightOf(after) };
  } catch (error) {
    return faultOf(error, root, path);
  } finally {
    closeSync(opened);
  }
};

export interface LongContent {
  readonly size: number;
  /** Ends early or late when the file changes meanwhile; `finish` tells. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The sight when everything that was promised was read, no more was there and nobody wrote meanwhile, else null. */
  readonly finish: () => Sight | null;
  readonly close: () => void;
}

/** The same in pieces, for files that do not belong into memory. The caller closes. Fault `io`. */
export const openContent = (
  root: BytePath,
  path: BytePath,
): LongContent | Exclude<Content, { kind: 'bytes' }> => {
  const opened = openRegular(root, path);
  if (typeof opened !== 'number') return opened;
  const before = fstatSync(opened);
  if (!before.isFile()) {
    closeSync(opened);
    return { kind: 'moved' };
  }
  let length = 0;
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) {
      const buffer = Buffer.allocUnsafe(1024 * 1024);
      const got = readSync(opened, buffer, 0, buffer.length, null);
      length += got;
      if (got === 0 || length > before.size) return;
      yield buffer.subarray(0, got);
    }
  };
  return {
    size: before.size,
    chunks: chunks(),
    finish: () => {
      const after = fstatSync(opened);
      return length === before.size && isUntouched(before, after) ? sightOf(after) : null;
    },
    close: () => closeSync(opened),
  };
};

/** Half of an old and half of a new content is neither. */
const isUntouched = (before: Stats, after: Stats): boolean =>
  before.mtimeMs === after.mtimeMs && before.ctimeMs === after.ctimeMs && before.size === after.size;

/** Where a link leads, as bytes. */
export const readTarget = (root: BytePath, path: BytePath): Buffer | null => {
  try {
    return readlinkSync(fsPathOf(root, path), 'buffer');
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    return null;
  }
};

const openRegular = (root: BytePath, path: BytePath): number | Exclude<Content, { kind: 'bytes' }> => {
  try {
    return openSync(fsPathOf(root, path), FLAGS);
  } catch (error) {
    return faultOf(error, root, path);
  }
};

/** What says something about the file is an answer; a full table of open files or a failing disk is a fault. */
const faultOf = (error: unknown, root: BytePath, path: BytePath): Exclude<Content, { kind: 'bytes' }> => {
  switch (errnoOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'ENXIO':
      return { kind: 'moved' };
    case 'EACCES':
    case 'EPERM':
      return { kind: 'unreadable' };
    default:
      throw ioFault(error, 'Reading a file', String(fsPathOf(root, path)));
  }
};

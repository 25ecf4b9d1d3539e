/**
 * Small files, read by plain system calls. A call through the thread pool costs many times what reading 4 KiB costs, and
 * an undo of a thousand files makes tens of thousands of them. Callers that loop give the event loop its turns (pace.ts).
 */
import { closeSync, fchmodSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

/** Larger ones are streamed. */
export const SMALL_BYTES = 128 * 1024;

/** Up to `maxBytes` from the start. Throws what the system says. */
export const readSmall = (fd: number, maxBytes: number): Buffer => {
  const buffer = Buffer.allocUnsafe(maxBytes);
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(fd, buffer, length, buffer.length - length, length);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
};

/** The whole of a regular file of at most `SMALL_BYTES`; null when it is longer. Throws what the system says. */
export const readSmallFile = (path: string | Buffer, flags: number): Buffer | null => {
  const fd = openSync(path, flags);
  try {
    const { size } = fstatSync(fd);
    if (size > SMALL_BYTES) return null;
    // One more, so that a file that grew is seen to have.
    const bytes = readSmall(fd, size + 1);
    return bytes.length > size ? null : bytes;
  } finally {
    closeSync(fd);
  }
};

/** Makes a file with these permission bits, opened with `flags`; not synced. Throws what the system says. */
export const writeNewSmall = (
  path: Buffer,
  bytes: Uint8Array,
  options: { readonly mode: number; readonly flags: number },
): void => {
  const fd = openSync(path, options.flags, 0o600);
  try {
    for (let offset = 0; offset < bytes.length; ) {
      const written = writeSync(fd, bytes, offset, bytes.length - offset);
      if (written === 0) throw new Error('the system wrote nothing');
      offset += written;
    }
    fchmodSync(fd, options.mode);
  } finally {
    closeSync(fd);
  }
};

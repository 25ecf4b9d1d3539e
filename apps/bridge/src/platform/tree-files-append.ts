/**
 * A file that only grows, one line at a time, each line on disk when the call resolves. A write that did not arrive
 * whole is cut back when the tail is ours (TRAPS V14-V16). One writer at a time is the caller's business.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateDir, syncDir } from './files.ts';
import { ioFault } from './io-fault.ts';
import { NO_FOLLOW } from './tree-files.ts';

const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW;

/**
 * Appends one line with its `\n`. `prefixFor` sees the bytes after the last `\n` (empty when the file ends well) and
 * says what must be written before the line. Faults: `io`; the file then ends as it did before, unless even that failed.
 */
export const appendSynced = async (
  path: string,
  line: Uint8Array,
  prefixFor: (tail: Uint8Array) => Uint8Array,
): Promise<void> => {
  await makePrivateDir(dirname(path));
  try {
    const handle = await open(path, APPEND, 0o600);
    try {
      const { size } = await handle.stat();
      if (size === 0) await settleNewFile(handle, path);
      const prefix = prefixFor(await tailOf(handle, size));
      await writeWhole(handle, Buffer.concat([prefix, line]), size);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw ioFault(error, 'Writing the journal', path);
  }
};

/** A file that a crash left empty may not have its name on disk either. */
async function settleNewFile(handle: FileHandle, path: string): Promise<void> {
  await handle.chmod(0o600);
  await syncDir(dirname(path));
}

async function writeWhole(handle: FileHandle, bytes: Uint8Array, sizeBefore: number): Promise<void> {
  try {
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length, null);
    if (bytesWritten !== bytes.length)
      throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
    await handle.datasync();
  } catch (error) {
    await cutBack(handle, { sizeBefore, sizeMax: sizeBefore + bytes.length });
    throw error;
  }
}

async function cutBack(
  handle: FileHandle,
  tail: { readonly sizeBefore: number; readonly sizeMax: number },
): Promise<void> {
  const { size } = await handle.stat();
  if (size > tail.sizeBefore && size <= tail.sizeMax) await handle.truncate(tail.sizeBefore);
}

const BLOCK_BYTES = 64 * 1024;

/** The bytes after the last `\n`. */
async function tailOf(handle: FileHandle, size: number): Promise<Uint8Array> {
  const blocks: Buffer[] = [];
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - (blocks.length === 0 ? 1 : BLOCK_BYTES));
    const block = Buffer.alloc(end - start);
    await handle.read(block, 0, block.length, start);
    const newline = block.lastIndexOf(0x0a);
    blocks.unshift(newline < 0 ? block : block.subarray(newline + 1));
    if (newline >= 0) break;
    end = start;
  }
  return Buffer.concat(blocks);
}

/** Removes a file of ours; an absent one is fine. */
export const removeIfThere = async (path: string): Promise<void> => {
  try {
    await rm(path, { force: true });
  } catch (error) {
    throw ioFault(error, 'Deleting a file', path);
  }
};

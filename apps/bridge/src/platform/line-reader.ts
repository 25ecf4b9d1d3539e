/**
 * Lines of big files without holding the file: forwards in blocks, with a cap per line. 0x0A is the only
 * separator; what follows the last one is no line yet. Bytes, never text: a block may end inside a character.
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { ioFault } from './io-fault.ts';

export interface Line {
  /** Of its first byte in the file. */
  readonly offset: number;
  /** Without the line end. */
  readonly length: number;
  /** Null when the line is longer than the cap: it was passed over, not loaded. */
  readonly bytes: Uint8Array | null;
}

export interface LineRange {
  readonly from: number;
  /** Nothing at or behind this offset is read. */
  readonly to: number;
  readonly maxLineBytes: number;
}

export const BLOCK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/** The whole lines of a range, a batch per block. `from` must be the start of a line. Fault `io`. */
export const readLines = async function* (path: string, range: LineRange): AsyncGenerator<readonly Line[]> {
  const split = lineSplitter(range);
  for await (const block of readBlocks(path, range)) {
    const lines = split(block);
    if (lines.length > 0) yield lines;
  }
};

/** The bytes of a range in blocks. Ends early when the file does. */
export const readBlocks = async function* (
  path: string,
  range: { readonly from: number; readonly to: number },
): AsyncGenerator<Buffer> {
  const handle = await openToRead(path);
  try {
    let at = range.from;
    while (at < range.to) {
      const buffer = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, range.to - at));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } catch (error) {
    throw ioFault(error, 'Reading a file', path);
  } finally {
    await handle.close();
  }
};

/** Opens for reading. Fault `io`, also when there is no file. */
export const openToRead = async (path: string): Promise<fs.FileHandle> => {
  try {
    return await fs.open(path, 'r');
  } catch (error) {
    throw ioFault(error, 'Reading a file', path);
  }
};

/** The bytes of a range in memory; shorter when the file ends before. */
export const readRange = async (path: string, from: number, length: number): Promise<Buffer> => {
  const blocks: Buffer[] = [];
  for await (const block of readBlocks(path, { from, to: from + length })) blocks.push(block);
  return Buffer.concat(blocks);
};

/** sha256 in hex of a range, whatever its length. */
export const hashRange = async (path: string, from: number, length: number): Promise<string> => {
  const hash = createHash('sha256');
  for await (const block of readBlocks(path, { from, to: from + length })) hash.update(block);
  return hash.digest('hex');
};

/** How many line ends a range holds: a search for one byte, far faster than reading lines. */
export const countNewlines = async (path: string, from: number, to: number): Promise<number> => {
  let count = 0;
  for await (const block of readBlocks(path, { from, to })) {
    for (let at = block.indexOf(NEWLINE); at >= 0; at = block.indexOf(NEWLINE, at + 1)) count += 1;
  }
  return count;
};

/** Cuts blocks into lines; the start of an unfinished line is kept until its end comes, up to the cap. */
const lineSplitter = ({ from, maxLineBytes }: LineRange): ((block: Buffer) => readonly Line[]) => {
  let offset = from;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const keep = (part: Buffer): void => {
    pendingBytes += part.length;
    if (pendingBytes > maxLineBytes) pending = [];
    else if (part.length > 0) pending.push(part);
  };
  const finish = (): Line => {
    const bytes = pending.length === 1 ? (pending[0] ?? null) : Buffer.concat(pending);
    const line = { offset, length: pendingBytes, bytes: pendingBytes > maxLineBytes ? null : bytes };
    offset += pendingBytes + 1;
    pending = [];
    pendingBytes = 0;
    return line;
  };
  return (block) => {
    const lines: Line[] = [];
    let start = 0;
    for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, start)) {
      keep(block.subarray(start, end));
      lines.push(finish());
      start = end + 1;
    }
    keep(block.subarray(start));
    return lines;
  };
};

/** Lines of a big file from the end to the start, in blocks: a session opens at its end, whatever its size. */
import { ioFault } from './io-fault.ts';
import { BLOCK_BYTES, type Line, openToRead } from './line-reader.ts';

const NEWLINE = 0x0a;

/**
 * The whole lines before `end`, last first. Bytes between the last line end before `end` and `end` itself are an
 * unfinished line and are left out. Stop asking for more to stop reading. Fault `io`.
 */
export const readLinesBackwards = async function* (
  path: string,
  range: { readonly end: number; readonly maxLineBytes: number },
): AsyncGenerator<Line> {
  const handle = await openToRead(path);
  const assemble = lineAssembler(range.maxLineBytes);
  try {
    let at = range.end;
    let size = BLOCK_BYTES / 4;
    while (at > 0) {
      const length = Math.min(size, at);
      const buffer = Buffer.allocUnsafe(length);
      const { bytesRead } = await handle.read(buffer, 0, length, at - length);
      // The file became shorter meanwhile: a writer took a failed record back.
      if (bytesRead < length) return;
      at -= length;
      yield* assemble(buffer, at);
      size = BLOCK_BYTES;
    }
    const first = assemble.first();
    if (first !== null) yield first;
  } catch (error) {
    throw ioFault(error, 'Reading a file', path);
  } finally {
    await handle.close();
  }
};

interface LineAssembler {
  /** Takes the block that ends where the last one began; gives the lines that begin in it, last first. */
  (block: Buffer, blockOffset: number): Generator<Line>;
  /** The first line of the file, once every block was taken. */
  first(): Line | null;
}

const lineAssembler = (maxLineBytes: number): LineAssembler => {
  /** Parts of the line whose end was seen, in file order. */
  let parts: Buffer[] = [];
  let length = 0;
  let endSeen = false;
  const keep = (part: Buffer): void => {
    if (!endSeen) return;
    length += part.length;
    if (length > maxLineBytes) parts = [];
    else if (part.length > 0) parts.unshift(part);
  };
  const finish = (offset: number): Line | null => {
    const bytes = parts.length === 1 ? (parts[0] ?? null) : Buffer.concat(parts);
    const line = endSeen ? { offset, length, bytes: length > maxLineBytes ? null : bytes } : null;
    parts = [];
    length = 0;
    endSeen = true;
    return line;
  };
  const assemble = function* (block: Buffer, blockOffset: number): Generator<Line> {
    let end = block.length;
    for (let at = lastNewline(block, end); at >= 0; at = lastNewline(block, at)) {
      keep(block.subarray(at + 1, end));
      const line = finish(blockOffset + at + 1);
      if (line !== null) yield line;
      end = at;
    }
    keep(block.subarray(0, end));
  };
  return Object.assign(assemble, { first: () => finish(0) });
};

/** Index of the last line end before `before`, -1 when there is none. */
const lastNewline = (block: Buffer, before: number): number =>
  before === 0 ? -1 : block.lastIndexOf(NEWLINE, before - 1);

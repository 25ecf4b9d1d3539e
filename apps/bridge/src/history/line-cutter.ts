/** Cuts chunks of bytes into lines; a line over the cap passes by and is null. Bytes: a chunk may end inside a character. */

export interface LineCutter {
  /** The lines that end in this chunk, without `\n` and a `\r` before it. */
  cut(chunk: Buffer): Generator<Buffer | null>;
  /** What follows the last whole line; null when that is over the cap. */
  rest(): Buffer | null;
  /** Behind the last whole line. */
  offset(): number;
}

export const createLineCutter = (from: number, maxLineBytes: number): LineCutter => {
  let offset = from;
  let pending: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer): void => {
    length += part.length;
    if (length > maxLineBytes) pending = [];
    // A copy: else a few bytes would hold on to a whole chunk.
    else if (part.length > 0) pending.push(Buffer.from(part));
  };
  const finish = (): Buffer | null => {
    const line = length > maxLineBytes ? null : Buffer.concat(pending);
    offset += length + 1;
    pending = [];
    length = 0;
    return line?.at(-1) === 0x0d ? line.subarray(0, -1) : line;
  };
  return {
    *cut(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
        keep(chunk.subarray(start, end));
        yield finish();
        start = end + 1;
      }
      keep(chunk.subarray(start));
    },
    rest: () => (length > maxLineBytes ? null : Buffer.concat(pending)),
    offset: () => offset,
  };
};

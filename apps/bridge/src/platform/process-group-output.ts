/**
 * What is kept of a child's output: the first and the last bytes up to a cap, never half a character, and
 * a line between them that says how much is missing. Streams text as it comes, decoded safely.
 */
export interface OutputCollector {
  /** Takes a chunk and returns its text; bytes of an unfinished character wait for the next chunk. */
  add(chunk: Buffer): string;
  /** Text of bytes that never became a character. Call once, at the end. */
  flush(): string;
  result(): { readonly output: string; readonly outputBytes: number; readonly truncated: boolean };
}

export const collectOutput = (maxBytes: number): OutputCollector => {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const headMax = Math.ceil(maxBytes / 2);
  const tailMax = Math.max(0, maxBytes - headMax);
  const head: Buffer[] = [];
  let tail: Buffer[] = [];
  let headBytes = 0;
  let tailBytes = 0;
  let total = 0;
  const addTail = (chunk: Buffer): void => {
    if (chunk.length === 0) return;
    tail.push(chunk);
    tailBytes += chunk.length;
    if (tailBytes < 2 * tailMax + 65_536) return;
    const kept = Buffer.concat(tail).subarray(-tailMax || tailBytes);
    tail = [kept];
    tailBytes = kept.length;
  };
  return {
    add(chunk) {
      total += chunk.length;
      const room = Math.max(0, headMax - headBytes);
      if (room > 0) head.push(chunk.subarray(0, room));
      headBytes += Math.min(room, chunk.length);
      addTail(chunk.subarray(room));
      return decoder.decode(chunk, { stream: true });
    },
    flush: () => decoder.decode(),
    result() {
      const first = Buffer.concat(head);
      const rest = Buffer.concat(tail);
      if (total <= maxBytes) {
        return { output: decode(Buffer.concat([first, rest])), outputBytes: total, truncated: false };
      }
      const before = first.subarray(0, lastCharacterEnd(first));
      const cut = tailMax === 0 ? Buffer.alloc(0) : rest.subarray(-tailMax);
      const after = cut.subarray(firstCharacterStart(cut));
      const missing = total - before.length - after.length;
      const output = `${decode(before)}\n[${missing} bytes left out]\n${decode(after)}`;
      return { output, outputBytes: total, truncated: true };
    },
  };
};

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Where the last whole character ends; an unfinished one at the end is left out. */
const lastCharacterEnd = (bytes: Uint8Array): number => {
  let start = bytes.length - 1;
  while (start > 0 && bytes.length - start < 4 && isContinuation(bytes[start])) start -= 1;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start + length > bytes.length ? Math.max(0, start) : bytes.length;
};

const firstCharacterStart = (bytes: Uint8Array): number => {
  let start = 0;
  while (start < Math.min(4, bytes.length) && isContinuation(bytes[start])) start += 1;
  return start;
};

/**
 * One kept version of a file: segments of raw bytes, compressed, each bound to all before it by a hash. The chain file
 * is replaced as a whole after its segments are on disk, so that it never names one that is not there.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { BridgeError } from '@skein/core/protocol/errors';
import { z } from 'zod';
import { makePrivateDir, readFileIfThere, writeFileAtomic } from '../platform/files.ts';
import type { ForeignFile } from '../platform/foreign-file.ts';

const SEGMENT_BYTES = 4 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 4096;

const chainSchema = z.object({
  v: z.literal(1),
  /** sha256 of the first and last raw bytes kept: whether the file still starts with them. */
  head: z.string(),
  tail: z.string(),
  segments: z.array(
    z.object({
      bytes: z.number().int().positive(),
      stored: z.number().int(),
      sha: z.string(),
      chain: z.string(),
    }),
  ),
});
export type Chain = z.infer<typeof chainSchema>;

const EMPTY: Chain = { v: 1, head: '', tail: '', segments: [] };
const sha = (...parts: readonly (Uint8Array | string)[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
const chainFile = (dir: string): string => join(dir, 'chain.json');
const segmentFile = (dir: string, index: number): string =>
  join(dir, `${String(index + 1).padStart(6, '0')}.zst`);

export const rawBytesOf = ({ segments }: Chain): number =>
  segments.reduce((total, { bytes }) => total + bytes, 0);
export const storedBytesOf = ({ segments }: Chain): number =>
  segments.reduce((total, { stored }) => total + stored, 0);

/** Null when there is none. Faults: `unreadable`, `io`. */
export const readChain = async (dir: string): Promise<Chain | null> => {
  const bytes = await readFileIfThere(chainFile(dir));
  if (bytes === null) return null;
  const parsed = chainSchema.safeParse(jsonOf(bytes));
  if (parsed.success) return parsed.data;
  throw damaged(dir);
};

/** Whether the file still begins with everything that is kept, by its ends. */
export const startsWithKept = async (file: ForeignFile, chain: Chain): Promise<boolean> => {
  const length = rawBytesOf(chain);
  if (file.size < length) return false;
  const marks = await marksOf(file, length);
  return marks.head === chain.head && marks.tail === chain.tail;
};

/** Keeps what lies behind the bytes that are kept. Durable when it resolves. Fault `io`. */
export const appendKept = async (dir: string, file: ForeignFile, before: Chain | null): Promise<Chain> => {
  await makePrivateDir(dir);
  const chain = before ?? EMPTY;
  const segments = [...chain.segments];
  let at = rawBytesOf(chain);
  while (at < file.size) {
    const raw = await file.read(at, Math.min(SEGMENT_BYTES, file.size - at));
    if (raw.length === 0) break;
    const packed = zstdCompressSync(raw);
    await writeFileAtomic(segmentFile(dir, segments.length), packed);
    const hash = sha(raw);
    segments.push({
      bytes: raw.length,
      stored: packed.length,
      sha: hash,
      chain: sha(segments.at(-1)?.chain ?? '', hash),
    });
    at += raw.length;
  }
  const next = { v: 1 as const, ...(await marksOf(file, at)), segments };
  await writeFileAtomic(chainFile(dir), JSON.stringify(next));
  return next;
};

/** The raw bytes, each segment checked. Fault `unreadable` when one is missing or not what was kept. */
export const readKept = async function* (dir: string, chain: Chain): AsyncGenerator<Buffer> {
  let link = '';
  for (const [index, segment] of chain.segments.entries()) {
    const packed = await readFileIfThere(segmentFile(dir, index));
    const raw = packed === null ? null : unpack(packed, segment.bytes);
    if (raw === null) throw damaged(dir);
    const hash = sha(raw);
    link = sha(link, hash);
    if (hash !== segment.sha || link !== segment.chain) throw damaged(dir);
    yield raw;
  }
};

const unpack = (packed: Uint8Array, bytes: number): Buffer | null => {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: bytes });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return null;
  }
};

const marksOf = async (file: ForeignFile, length: number) => {
  const tailFrom = Math.max(0, length - TAIL_BYTES);
  return {
    head: await file.hash(0, Math.min(HEAD_BYTES, length)),
    tail: await file.hash(tailFrom, length - tailFrom),
  };
};

const damaged = (dir: string): BridgeError =>
  new BridgeError(
    'unreadable',
    'A copy in the vault is damaged; the rest of the vault is not touched by that.',
    {
      data: { path: dir },
    },
  );

const jsonOf = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

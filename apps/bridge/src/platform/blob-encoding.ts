/**
 * How a saved version lies on disk: as it is, or deflated behind a short header when that is smaller. Streams both ways,
 * so that a version of any size needs little memory. The caller names files, syncs them and checks hashes.
 */
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createDeflate, createInflate, type Deflate, deflateSync, inflateSync } from 'node:zlib';
import { BridgeError } from '@skein/core/protocol/errors';

/** `SKZ1`, length of the content, length of what follows the header; both 8 bytes, big-endian. */
export const HEADER_BYTES = 20;
const MAGIC = Buffer.from('SKZ1');

/** Level 3 is within 12 % of the slowest one on source text, at twice its speed. */
const LEVEL = 3;
/** So much of a content is looked at before it is decided whether deflating helps. */
const SAMPLE_BYTES = 64 * 1024;
/** Below this the header and the extra work are worth more than what is saved. */
const MIN_BYTES = 256;

export interface Header {
  readonly rawBytes: number;
  readonly packedBytes: number;
}

/** Null when it is none of ours, or was cut off. */
export const readHeader = async (handle: FileHandle): Promise<Header | null> => {
  const bytes = Buffer.alloc(HEADER_BYTES);
  const { bytesRead } = await handle.read(bytes, 0, HEADER_BYTES, 0);
  return parseHeader(bytes.subarray(0, bytesRead));
};

/** The first bytes of a packed file; null when it is none of ours, or was cut off. */
export const parseHeader = (bytes: Buffer): Header | null => {
  if (bytes.length < HEADER_BYTES || !bytes.subarray(0, 4).equals(MAGIC)) return null;
  return { rawBytes: Number(bytes.readBigUInt64BE(4)), packedBytes: Number(bytes.readBigUInt64BE(12)) };
};

const headerOf = ({ rawBytes, packedBytes }: Header): Buffer => {
  const bytes = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(bytes);
  bytes.writeBigUInt64BE(BigInt(rawBytes), 4);
  bytes.writeBigUInt64BE(BigInt(packedBytes), 12);
  return bytes;
};

export interface BlobWriter {
  /** The next piece of the content; it may be overwritten once this resolves. Rejects with what the system said. */
  write(chunk: Uint8Array): Promise<void>;
  /** Everything written so far is void: the content is read anew. */
  restart(): Promise<void>;
  /** Resolves when the whole file has its bytes (not synced). `packed` is for its name. */
  finish(): Promise<'raw' | 'packed'>;
  /** Frees what a content that was not finished holds. */
  dispose(): void;
}

/** Fills an empty file from its start. */
export const createBlobWriter = (
  handle: FileHandle,
  { mayPack }: { readonly mayPack: boolean },
): BlobWriter => {
  let sample: Buffer[] = [];
  let seen = 0;
  let position = 0;
  let mode: 'undecided' | 'raw' | Packer = mayPack ? 'undecided' : 'raw';

  const put = async (bytes: Uint8Array): Promise<void> => {
    for (let offset = 0; offset < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, offset, bytes.length - offset, position);
      if (bytesWritten === 0) throw new Error('the system wrote nothing');
      offset += bytesWritten;
      position += bytesWritten;
    }
  };
  const pass = async (chunk: Uint8Array): Promise<void> => {
    if (mode === 'raw') return put(chunk);
    if (mode !== 'undecided') for (const bytes of await mode.push(chunk)) await put(bytes);
  };
  const decide = async (): Promise<void> => {
    const start = Buffer.concat(sample);
    sample = [];
    if (isWorthPacking(start)) {
      mode = createPacker();
      position = HEADER_BYTES;
    } else mode = 'raw';
    await pass(start);
  };
  const dispose = (): void => {
    if (typeof mode === 'object') mode.close();
  };
  return {
    async write(chunk) {
      seen += chunk.length;
      if (mode !== 'undecided') return pass(chunk);
      sample.push(Buffer.from(chunk));
      if (seen >= SAMPLE_BYTES) await decide();
    },
    async restart() {
      dispose();
      [sample, seen, position, mode] = [[], 0, 0, mayPack ? 'undecided' : 'raw'];
      await handle.truncate(0);
    },
    async finish() {
      if (mode === 'undecided') await decide();
      if (typeof mode === 'string') return 'raw';
      for (const bytes of await mode.end()) await put(bytes);
      const header = headerOf({ rawBytes: seen, packedBytes: position - HEADER_BYTES });
      position = 0;
      await put(header);
      return 'packed';
    },
    dispose,
  };
};

const isWorthPacking = (start: Uint8Array): boolean =>
  start.length >= MIN_BYTES &&
  deflateSync(start.subarray(0, SAMPLE_BYTES), { level: 1 }).length <
    Math.min(start.length, SAMPLE_BYTES) * 0.9;

interface Packer {
  /** What is ready after this piece. */
  push(chunk: Uint8Array): Promise<readonly Uint8Array[]>;
  end(): Promise<readonly Uint8Array[]>;
  close(): void;
}

/** One piece at a time goes in, so that at most its own output waits in memory. */
const createPacker = (): Packer => {
  const deflate = createDeflate({ level: LEVEL });
  let ready: Uint8Array[] = [];
  const ended = Promise.withResolvers<void>();
  // Whoever pushes or ends gets the fault; nobody may be waiting for the end yet.
  ended.promise.catch(() => undefined);
  deflate.on('data', (bytes: Uint8Array) => ready.push(bytes));
  deflate.on('error', ended.reject);
  deflate.on('end', ended.resolve);
  const take = (): readonly Uint8Array[] => {
    const taken = ready;
    ready = [];
    return taken;
  };
  return {
    async push(chunk) {
      await writeInto(deflate, chunk);
      return take();
    },
    async end() {
      deflate.end();
      await ended.promise;
      return take();
    },
    close: () => deflate.destroy(),
  };
};

const writeInto = (deflate: Deflate, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    deflate.write(chunk, (error) => (error == null ? resolve() : reject(error)));
  });

/**
 * The content of a packed file, piece by piece. Rejects with `unreadable` when it does not unpack or is not as long as
 * its header says, with the system's error when it cannot be read.
 */
export const unpack = async (
  handle: FileHandle,
  header: Header,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> => {
  const source = handle.createReadStream({ start: HEADER_BYTES, autoClose: false });
  let length = 0;
  try {
    await pipeline(source, createInflate(), async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) {
        length += chunk.length;
        if (length > header.rawBytes) throw damaged();
        await take(chunk);
      }
    });
  } catch (error) {
    throw isZlibError(error) ? damaged(error) : error;
  }
  if (length !== header.rawBytes) throw damaged();
};

/** A content that unpacks to more is streamed. */
const SMALL_RAW_BYTES = 1024 * 1024;

/** The content of a whole packed file; null when it is too long for that. Fault `unreadable`. */
export const unpackSmall = (file: Buffer): Buffer | null => {
  const header = parseHeader(file);
  if (header === null || file.length !== HEADER_BYTES + header.packedBytes) throw damaged();
  if (header.rawBytes > SMALL_RAW_BYTES) return null;
  let bytes: Buffer;
  try {
    bytes = inflateSync(file.subarray(HEADER_BYTES), { maxOutputLength: Math.max(1, header.rawBytes) });
  } catch (error) {
    throw isZlibError(error) || isTooLong(error) ? damaged(error) : error;
  }
  if (bytes.length !== header.rawBytes) throw damaged();
  return bytes;
};

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

const damaged = (cause?: unknown): BridgeError =>
  new BridgeError('unreadable', 'A saved version is damaged. Nothing was replaced by it.', { cause });

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_');

/**
 * Writes git objects as one pack with its index (gitformat-pack(5), version 2), in process: a capture of three files
 * costs one file to sync instead of one for every object. No deltas; git's own gc makes them later.
 */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32, createDeflate, deflateSync } from 'node:zlib';
import { newName } from './ids.ts';
import { ioFault } from './io-fault.ts';
import {
  digestOf,
  entryHeader,
  type ObjectId,
  type ObjectType,
  type Packed,
  packHeader,
  packIndex,
} from './pack-format.ts';

export type { ObjectId, ObjectType };

const FILE_MODE = 0o600;
/** Bytes before the first object. */
const HEADER = 12;

export interface PackWriter {
  /** The object's id. An object that is in this pack already is not added again. */
  add(type: ObjectType, content: Uint8Array, id?: ObjectId): ObjectId;
  /** Bytes so far. */
  size(): number;
  /** Durable when it returns: pack, index and their folder are synced. Nothing for an empty pack. Fault `io`. */
  seal(): void;
}

interface Sealed {
  readonly packed: readonly Packed[];
  /** Digest of the pack. */
  readonly check: Buffer;
}

export const objectId = (type: ObjectType, content: Uint8Array): ObjectId =>
  createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest();

/** The default of 16 KiB for every small file would be memory for the collector. */
const deflated = (content: Uint8Array): Buffer =>
  deflateSync(content, { level: 1, chunkSize: Math.min(64 * 1024, Math.max(256, content.length)) });

/** `objectsDir` is `objects/` of a bare git directory. */
export const createPack = (objectsDir: string): PackWriter => {
  // One piece of memory for all objects: thousands of small ones would outlive the collector's patience.
  let body = Buffer.allocUnsafeSlow(256 * 1024);
  let length = HEADER;
  const packed = new Map<string, Packed>();
  const put = (bytes: Uint8Array): void => {
    if (length + bytes.length > body.length) {
      const larger = Buffer.allocUnsafeSlow((length + bytes.length) * 2);
      body.copy(larger, 0, 0, length);
      body = larger;
    }
    body.set(bytes, length);
    length += bytes.length;
  };
  return {
    add(type, content, id = objectId(type, content)) {
      const key = id.toString('latin1');
      if (packed.has(key)) return id;
      const offset = length;
      put(entryHeader(type, content.length));
      put(deflated(content));
      packed.set(key, { id, crc: crc32(body.subarray(offset, length)), offset });
      return id;
    },
    size: () => length,
    seal() {
      if (packed.size === 0) return;
      body.set(packHeader(packed.size), 0);
      const whole = body.subarray(0, length);
      const check = digestOf([whole]);
      writePack(objectsDir, [whole, check], { packed: [...packed.values()], check });
      packed.clear();
      length = HEADER;
    },
  };
};

/**
 * One object that is too large for memory, in a pack of its own; null, and nothing kept, when its content was not what
 * `size` promised. Durable when it resolves. Fault `io`.
 */
export const packOne = async (
  objectsDir: string,
  type: ObjectType,
  content: { readonly size: number; readonly chunks: AsyncIterable<Uint8Array> },
): Promise<ObjectId | null> => {
  const folder = packFolder(objectsDir);
  const temp = join(folder, `tmp_pack_${newName()}`);
  const handle = openTemp(temp);
  const [id, pack] = [createHash('sha1').update(`${type} ${content.size}\0`), createHash('sha1')];
  let length = 0;
  const raw = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of content.chunks) {
      id.update(chunk);
      length += chunk.length;
      yield chunk;
    }
  };
  const put = (bytes: Uint8Array): void => {
    pack.update(bytes);
    writeAll(handle, bytes);
  };
  try {
    put(packHeader(1));
    let crc = 0;
    const entry = (bytes: Uint8Array): void => {
      crc = crc32(bytes, crc);
      put(bytes);
    };
    entry(entryHeader(type, content.size));
    for await (const deflated of Readable.from(raw()).compose(createDeflate({ level: 1 }))) entry(deflated);
    if (length !== content.size) return null;
    const check = pack.digest();
    writeAll(handle, check);
    fsyncSync(handle);
    const found = id.digest();
    finishPack(folder, temp, { packed: [{ id: found, crc, offset: HEADER }], check });
    return found;
  } catch (error) {
    throw ioFault(error, 'Saving a snapshot', temp);
  } finally {
    closeSync(handle);
    rmSync(temp, { force: true });
  }
};

const writePack = (objectsDir: string, body: readonly Uint8Array[], sealed: Sealed): void => {
  const folder = packFolder(objectsDir);
  const temp = join(folder, `tmp_pack_${newName()}`);
  try {
    writeSynced(temp, body);
    finishPack(folder, temp, sealed);
  } catch (error) {
    rmSync(temp, { force: true });
    throw ioFault(error, 'Saving a snapshot', temp);
  }
};

/** Git looks for `.idx` files: the pack is in its place before its index is. */
const finishPack = (folder: string, temp: string, { packed, check }: Sealed): void => {
  const name = join(folder, `pack-${check.toString('hex')}`);
  const index = join(folder, `tmp_idx_${newName()}`);
  try {
    writeSynced(index, [Buffer.concat(packIndex(packed, check))]);
    renameSync(temp, `${name}.pack`);
    renameSync(index, `${name}.idx`);
  } finally {
    rmSync(index, { force: true });
  }
  syncFolder(folder);
};

const packFolder = (objectsDir: string): string => {
  const folder = join(objectsDir, 'pack');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw ioFault(error, 'Saving a snapshot', folder);
  }
  return folder;
};

const openTemp = (path: string): number => {
  try {
    return openSync(path, 'wx', FILE_MODE);
  } catch (error) {
    throw ioFault(error, 'Saving a snapshot', path);
  }
};

const writeSynced = (path: string, pieces: readonly Uint8Array[]): void => {
  const handle = openSync(path, 'wx', FILE_MODE);
  try {
    for (const piece of pieces) writeAll(handle, piece);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

const syncFolder = (path: string): void => {
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** A short write is gone on with; no progress is a fault (TRAPS V16). */
const writeAll = (handle: number, bytes: Uint8Array): void => {
  let at = 0;
  while (at < bytes.length) {
    const wrote = writeSync(handle, bytes, at, bytes.length - at);
    if (wrote === 0) throw new Error('Nothing was written.');
    at += wrote;
  }
};

/**
 * A folder of contents named by their sha256 (`<aa>/<sha256>`, 0600; `<sha256>.z` when it is kept deflated), on disk
 * before a name is given out. Owns no meaning: which content is still needed is for others to say. A blob is never
 * changed once it has its name, and whoever stores a content that is there already makes it young again: an upkeep that
 * removes what nobody names (tree-files-blob-sweep.ts) must see that somebody is about to name it.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats, utimesSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import {
  type BlobWriter,
  createBlobWriter,
  HEADER_BYTES,
  parseHeader,
  readHeader,
  unpack,
  unpackSmall,
} from './blob-encoding.ts';
import { makePrivateDir, syncDir } from './files.ts';
import { newName } from './ids.ts';
import { errnoOf, ioFault } from './io-fault.ts';
import { readSmall, readSmallFile } from './small-files.ts';
import type { HeldDir, Name } from './tree-files.ts';
import { NO_FOLLOW } from './tree-files.ts';
import { chunksOf, type Found, readFound, type Sink } from './tree-files-read.ts';
import { writeFully } from './tree-files-write.ts';

export type { FileHandle };

const IS_SHA256 = /^[0-9a-f]{64}$/;
const PACKED = '.z';
const READ = constants.O_RDONLY | NO_FOLLOW;

const blobPath = (folder: string, sha256: string): string => {
  if (!IS_SHA256.test(sha256)) throw new Error(`not a sha256: ${sha256}`);
  return join(folder, sha256.slice(0, 2), sha256);
};

/** Where versions go. */
export interface Park {
  readonly folder: string;
  /** Parts of it that the same work has synced already; it lives as long as the work. */
  readonly synced: Set<string>;
  /** Files whose names are known to be on disk; it lives as long as whoever writes there. */
  readonly durable: Set<string>;
}

/** More is forgotten, which costs a sync. */
const MAX_DURABLE = 20_000;

/** Resolves with the name when content and name are on disk. `raw`: never deflated, so that a part can be read. Fault `io`. */
export const storeBytes = async (
  folder: string,
  bytes: Uint8Array,
  { raw = false }: { readonly raw?: boolean } = {},
): Promise<string> => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const park = { folder, synced: new Set<string>(), durable: new Set<string>() };
  if (await isStored(park, { sha256, sizeBytes: bytes.length })) return sha256;
  const temp = await openTemp(folder, !raw);
  try {
    await temp.writer.write(bytes);
    await keep(folder, temp, sha256);
    return sha256;
  } catch (error) {
    throw ioFault(error, 'Saving a version', temp.path);
  } finally {
    await dispose(temp);
  }
};

/**
 * Looks at a name of a workspace folder and, when it is a regular file, stores its content. What is returned is
 * what was stored: a file that changes meanwhile is read again. Fault `io` when it could not be saved.
 */
export const storeFound = async (park: Park, dir: HeldDir, name: Name): Promise<Found> => {
  const { folder } = park;
  const quick = await readFound(dir, name);
  if (quick.type !== 'file') return quick;
  if (await isStored(park, quick)) return quick;
  const temp = await openTemp(folder, true);
  try {
    const found = await readFound(dir, name, sinkInto(temp.writer));
    if (found.type === 'file') knowDurable(park, await keep(folder, temp, found.sha256));
    return found;
  } catch (error) {
    throw ioFault(error, 'Saving a version', temp.path);
  } finally {
    await dispose(temp);
  }
};

const sinkInto =
  (writer: BlobWriter): Sink =>
  (chunk) =>
    chunk === null ? writer.restart() : writer.write(chunk);

/** Whether a blob of that size is there; its folder is synced, for a crash may have come before that. */
async function isStored(
  park: Park,
  { sha256, sizeBytes }: { readonly sha256: string; readonly sizeBytes: number },
): Promise<boolean> {
  const { folder, synced, durable } = park;
  const blob = findBlob(folder, sha256, sizeBytes);
  if (blob === null || !makeYoung(blob.path)) return false;
  const names = sha256.slice(0, 2);
  if (synced.has(names) || durable.has(blob.identity)) return true;
  await syncDir(join(folder, names));
  synced.add(names);
  knowDurable(park, blob.identity);
  return true;
}

function knowDurable({ durable }: Park, identity: string): void {
  if (durable.size >= MAX_DURABLE) durable.clear();
  durable.add(identity);
}

/** The same name may be given out again after an upkeep: another file then, which was born later. */
const identityOf = (sha256: string, { dev, ino, birthtimeMs }: Stats): string =>
  `${sha256}:${dev}:${ino}:${birthtimeMs}`;

/** False when it went in between. */
function makeYoung(path: string): boolean {
  try {
    const now = new Date();
    utimesSync(path, now, now);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw ioFault(error, 'Saving a version', path);
  }
}

export const hasBlob = (folder: string, sha256: string, sizeBytes: number): boolean =>
  findBlob(folder, sha256, sizeBytes) !== null;

interface FoundBlob {
  readonly path: string;
  readonly identity: string;
}

/** Where a blob lies whole, as far as its length tells. */
function findBlob(folder: string, sha256: string, sizeBytes: number): FoundBlob | null {
  const path = blobPath(folder, sha256);
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() === true && stat.size === sizeBytes)
      return { path, identity: identityOf(sha256, stat) };
    const packed = openSync(path + PACKED, READ);
    try {
      const packedStat = fstatSync(packed);
      const header = parseHeader(readSmall(packed, HEADER_BYTES));
      const isWhole = header?.rawBytes === sizeBytes && packedStat.size === HEADER_BYTES + header.packedBytes;
      return isWhole ? { path: path + PACKED, identity: identityOf(sha256, packedStat) } : null;
    } finally {
      closeSync(packed);
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw ioFault(error, 'Reading a saved version', path);
  }
}

const isMissing = (error: unknown): boolean => {
  const errno = errnoOf(error);
  return errno === 'ENOENT' || errno === 'ENOTDIR';
};

/**
 * A small blob as a whole, checked; null when it is a larger one. Faults: `unreadable` when it is missing or damaged,
 * `io`.
 */
export const readSmallBlob = (folder: string, sha256: string): Uint8Array | null => {
  const path = blobPath(folder, sha256);
  try {
    const raw = ifThere(() => readSmallFile(path, READ));
    if (raw === null) return null;
    const packed = raw ?? ifThere(() => readSmallFile(path + PACKED, READ));
    if (packed === null) return null;
    if (packed === undefined) throw lostBlob(sha256, 'missing');
    const bytes = raw ?? unpackSmall(packed);
    if (bytes === null) return null;
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw lostBlob(sha256, 'damaged');
    return bytes;
  } catch (error) {
    throw ioFault(error, 'Reading a saved version', path);
  }
};

/** Undefined when there is none. */
function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A blob that is kept raw; null when there is none. The caller closes it. */
export const openBlob = (folder: string, sha256: string): Promise<FileHandle | null> =>
  openPath(blobPath(folder, sha256));

async function openPath(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, READ);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw ioFault(error, 'Reading a saved version', path);
  }
}

/** Copies a blob and checks it on the way. Faults: `unreadable` when it is missing or damaged, `io`. */
export const copyBlob = (folder: string, sha256: string, target: FileHandle): Promise<void> =>
  readChecked(folder, sha256, (chunk) => writeFully(target, chunk));

/** A blob as a whole, null when it is missing or damaged. For contents that are only shown. Fault `io`. */
export const readBlob = async (folder: string, sha256: string): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = [];
  try {
    await readChecked(folder, sha256, async (chunk) => void chunks.push(Buffer.from(chunk)));
  } catch (error) {
    if (error instanceof BridgeError && error.code === 'unreadable') return null;
    throw error;
  }
  return Buffer.concat(chunks);
};

/** Every read compares the whole content with its name. Faults: `unreadable`, `io`. */
async function readChecked(
  folder: string,
  sha256: string,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const path = blobPath(folder, sha256);
  const hash = createHash('sha256');
  const both = (chunk: Uint8Array): Promise<void> => {
    hash.update(chunk);
    return take(chunk);
  };
  const raw = await openPath(path);
  const source = raw ?? (await openPath(path + PACKED));
  if (source === null) throw lostBlob(sha256, 'missing');
  try {
    if (raw === null) {
      const header = await readHeader(source);
      if (header === null) throw lostBlob(sha256, 'damaged');
      await unpack(source, header, both);
    } else for await (const chunk of chunksOf(source)) await both(chunk);
    if (hash.digest('hex') !== sha256) throw lostBlob(sha256, 'damaged');
  } finally {
    await source.close();
  }
}

const lostBlob = (sha256: string, how: string): BridgeError =>
  new BridgeError('unreadable', `A saved version is ${how}: ${sha256}. Nothing was replaced by it.`, {
    data: { sha256 },
  });

interface Temp {
  readonly path: string;
  readonly handle: FileHandle;
  readonly writer: BlobWriter;
}

async function openTemp(folder: string, mayPack: boolean): Promise<Temp> {
  const parent = join(folder, 'tmp');
  await makePrivateDir(parent);
  const path = join(parent, `.blob.${newName()}.skein-tmp`);
  try {
    const handle = await open(path, 'wx', 0o600);
    return { path, handle, writer: createBlobWriter(handle, { mayPack }) };
  } catch (error) {
    throw ioFault(error, 'Saving a version', path);
  }
}

/** Resolves with the identity of the blob when content and name are on disk. */
async function keep(folder: string, temp: Temp, sha256: string): Promise<string> {
  const form = await temp.writer.finish();
  await temp.handle.chmod(0o600);
  await temp.handle.sync();
  await makePrivateDir(join(folder, sha256.slice(0, 2)));
  const path = blobPath(folder, sha256);
  const identity = identityOf(sha256, await temp.handle.stat());
  await rename(temp.path, form === 'packed' ? path + PACKED : path);
  // One of the wrong length was not taken for stored; the raw form is looked for first, so it must not stay.
  if (form === 'packed') await rm(path, { force: true });
  await syncDir(join(folder, sha256.slice(0, 2)));
  return identity;
}

async function dispose(temp: Temp): Promise<void> {
  temp.writer.dispose();
  await temp.handle.close();
  await rm(temp.path, { force: true });
}

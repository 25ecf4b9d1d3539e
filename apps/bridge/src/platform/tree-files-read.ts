/**
 * What lies at one name of a held folder. Only regular files are opened, without following a link and without
 * blocking: a FIFO never hangs us (TRAPS A71). A file that changes while it is read is read again.
 */
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errnoOf, ioFault } from './io-fault.ts';
import { readSmall, SMALL_BYTES } from './small-files.ts';
import { type HeldDir, type Name, NO_FOLLOW, show } from './tree-files.ts';

/** Tells whether a file is still the one that was looked at. `ctimeNs` cannot be set back by `touch`. */
export interface Stamp {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export type Found =
  | { readonly type: 'absent' }
  | {
      readonly type: 'file';
      readonly stamp: Stamp;
      readonly sha256: string;
      readonly sizeBytes: number;
      /** Permission bits, 0o7777. */
      readonly mode: number;
    }
  | { readonly type: 'link'; readonly stamp: Stamp; readonly target: Buffer }
  | { readonly type: 'dir'; readonly mode: number; readonly empty: boolean }
  /** FIFO, socket, device, or a file that cannot be read. */
  | { readonly type: 'other'; readonly reason: string };

/** Gets the content of a file while it is hashed; called with null when reading starts anew. */
export type Sink = (chunk: Uint8Array | null) => Promise<void>;

const ATTEMPTS = 3;
const CHUNK_BYTES = 256 * 1024;
const READ_FILE = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);

/** Looks at a name, hashing a file's content. Faults: `io` for what is neither absent nor merely unreadable. */
export const readFound = async (dir: HeldDir, name: Name, sink?: Sink): Promise<Found> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = await readOnce(dir, name, sink);
    if (found !== 'changed') return found;
  }
  return { type: 'other', reason: 'it changes while it is read' };
};

async function readOnce(dir: HeldDir, name: Name, sink: Sink | undefined): Promise<Found | 'changed'> {
  const stat = statName(dir, name);
  if (stat === null) return { type: 'absent' };
  if (stat.isSymbolicLink()) return readLink(dir, name, stat);
  if (stat.isDirectory()) return readDir(dir, name, stat);
  if (!stat.isFile()) return { type: 'other', reason: kindOf(stat) };
  if (stat.size <= SMALL_BYTES) return hashSmall(dir, name, sink);
  const handle = await openRegular(dir, name);
  if (handle === 'changed' || 'type' in handle) return handle;
  try {
    return await hashFile(handle, sink);
  } finally {
    await handle.close();
  }
}

/** The state of a name without following a link; null when there is nothing. */
export const statName = (dir: HeldDir, name: Name): BigIntStats | null => {
  try {
    return lstatSync(dir.at(name), { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    throw ioFault(error, 'Reading a file', show(name));
  }
};

export const stampOf = (stat: BigIntStats): Stamp => ({
  dev: stat.dev,
  ino: stat.ino,
  size: stat.size,
  mtimeNs: stat.mtimeNs,
  ctimeNs: stat.ctimeNs,
});

export const sameStamp = (a: Stamp, b: Stamp): boolean =>
  a.dev === b.dev &&
  a.ino === b.ino &&
  a.size === b.size &&
  a.mtimeNs === b.mtimeNs &&
  a.ctimeNs === b.ctimeNs;

async function openRegular(dir: HeldDir, name: Name): Promise<FileHandle | Found | 'changed'> {
  try {
    return await open(dir.at(name), READ_FILE);
  } catch (error) {
    return notOpened(error, name);
  }
}

function notOpened(error: unknown, name: Name): Found | 'changed' {
  switch (errnoOf(error)) {
    case 'ENOENT':
    case 'ELOOP':
    case 'ENXIO':
      return 'changed';
    case 'EACCES':
    case 'EPERM':
      return { type: 'other', reason: 'it cannot be read: permission was denied' };
    default:
      throw ioFault(error, 'Reading a file', show(name));
  }
}

/** A small file is read in one go: a restore of a thousand files is mostly these. */
async function hashSmall(dir: HeldDir, name: Name, sink: Sink | undefined): Promise<Found | 'changed'> {
  const read = readWhole(dir, name);
  if (read === 'changed' || 'type' in read) return read;
  const { bytes, before, after } = read;
  await sink?.(null);
  if (bytes.length > 0) await sink?.(bytes);
  return foundFile({
    before,
    after,
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
}

interface Whole {
  readonly bytes: Buffer;
  readonly before: BigIntStats;
  readonly after: BigIntStats;
}

function readWhole(dir: HeldDir, name: Name): Whole | Found | 'changed' {
  let fd: number;
  try {
    fd = openSync(dir.at(name), READ_FILE);
  } catch (error) {
    return notOpened(error, name);
  }
  try {
    const before = fstatSync(fd, { bigint: true });
    if (!before.isFile() || before.size > SMALL_BYTES) return 'changed';
    // One more, so that a file that grew is seen to have.
    const bytes = readSmall(fd, Number(before.size) + 1);
    return { bytes, before, after: fstatSync(fd, { bigint: true }) };
  } catch (error) {
    throw ioFault(error, 'Reading a file', show(name));
  } finally {
    closeSync(fd);
  }
}

async function hashFile(handle: FileHandle, sink: Sink | undefined): Promise<Found | 'changed'> {
  const before = await handle.stat({ bigint: true });
  if (!before.isFile()) return 'changed';
  const hash = createHash('sha256');
  await sink?.(null);
  let sizeBytes = 0;
  for await (const chunk of chunksOf(handle)) {
    hash.update(chunk);
    await sink?.(chunk);
    sizeBytes += chunk.length;
  }
  const after = await handle.stat({ bigint: true });
  return foundFile({ before, after, sizeBytes, sha256: hash.digest('hex') });
}

function foundFile(read: {
  readonly before: BigIntStats;
  readonly after: BigIntStats;
  readonly sizeBytes: number;
  readonly sha256: string;
}): Found | 'changed' {
  const { before, after, sizeBytes, sha256 } = read;
  if (!sameStamp(stampOf(before), stampOf(after)) || BigInt(sizeBytes) !== after.size) return 'changed';
  return { type: 'file', stamp: stampOf(after), sha256, sizeBytes, mode: Number(after.mode & 0o7777n) };
}

/** The whole content from the start. The buffer is used again for the next chunk. */
export async function* chunksOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function readLink(dir: HeldDir, name: Name, stat: BigIntStats): Found | 'changed' {
  try {
    return { type: 'link', stamp: stampOf(stat), target: readlinkSync(dir.at(name), 'buffer') };
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'EINVAL') return 'changed';
    throw ioFault(error, 'Reading a link', show(name));
  }
}

/** Where the link at a name leads; null when there is no link. */
export const readLinkTarget = (dir: HeldDir, name: Name): Buffer | null => {
  const stat = statName(dir, name);
  if (!stat?.isSymbolicLink()) return null;
  const found = readLink(dir, name, stat);
  return found !== 'changed' && found.type === 'link' ? found.target : null;
};

function readDir(dir: HeldDir, name: Name, stat: BigIntStats): Found | 'changed' {
  const mode = Number(stat.mode & 0o7777n);
  try {
    return { type: 'dir', mode, empty: readdirSync(dir.at(name), 'buffer').length === 0 };
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return 'changed';
    if (errno === 'EACCES' || errno === 'EPERM') return { type: 'dir', mode, empty: false };
    throw ioFault(error, 'Reading a folder', show(name));
  }
}

function kindOf(stat: BigIntStats): string {
  if (stat.isFIFO()) return 'it is a named pipe';
  if (stat.isSocket()) return 'it is a socket';
  return 'it is a device';
}

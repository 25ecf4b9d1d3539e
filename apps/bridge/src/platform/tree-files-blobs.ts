/**
 * A folder of contents named by their sha256 (`<aa>/<sha256>`, 0600), on disk before a name is given out. Owns no
 * meaning: which content is still needed is for others to say. A blob is never changed once it has its name.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { makePrivateDir, statIfThere, syncDir } from './files.ts';
import { newName } from './ids.ts';
import { errnoOf, ioFault } from './io-fault.ts';
import type { HeldDir, Name } from './tree-files.ts';
import { NO_FOLLOW } from './tree-files.ts';
import { chunksOf, type Found, readFound, type Sink } from './tree-files-read.ts';
import { writeFully } from './tree-files-write.ts';

export type { FileHandle };

const IS_SHA256 = /^[0-9a-f]{64}$/;

const blobPath = (folder: string, sha256: string): string => {
  if (!IS_SHA256.test(sha256)) throw new Error(`not a sha256: ${sha256}`);
  return join(folder, sha256.slice(0, 2), sha256);
};

/** Where versions go. `synced`: parts of it that the same work has synced already; it lives as long as the work. */
export interface Park {
  readonly folder: string;
  readonly synced: Set<string>;
}

/** Resolves with the name when content and name are on disk. Fault `io`. */
export const storeBytes = async (folder: string, bytes: Uint8Array): Promise<string> => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (await isStored(folder, { sha256, sizeBytes: bytes.length, synced: new Set() })) return sha256;
  const temp = await openTemp(folder);
  try {
    await writeFully(temp.handle, bytes);
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
export const storeFound = async ({ folder, synced }: Park, dir: HeldDir, name: Name): Promise<Found> => {
  const quick = await readFound(dir, name);
  if (quick.type !== 'file') return quick;
  if (await isStored(folder, { sha256: quick.sha256, sizeBytes: quick.sizeBytes, synced })) return quick;
  const temp = await openTemp(folder);
  try {
    const found = await readFound(dir, name, sinkInto(temp.handle));
    if (found.type === 'file') await keep(folder, temp, found.sha256);
    return found;
  } catch (error) {
    throw ioFault(error, 'Saving a version', temp.path);
  } finally {
    await dispose(temp);
  }
};

function sinkInto(handle: FileHandle): Sink {
  let position = 0;
  return async (chunk) => {
    if (chunk === null) {
      position = 0;
      await handle.truncate(0);
      return;
    }
    for (let offset = 0; offset < chunk.length; ) {
      const { bytesWritten } = await handle.write(chunk, offset, chunk.length - offset, position);
      if (bytesWritten === 0) throw new Error('the system wrote nothing');
      offset += bytesWritten;
      position += bytesWritten;
    }
  };
}

/** Whether a blob of that size is there; its folder is synced, for a crash may have come before that. */
async function isStored(
  folder: string,
  {
    sha256,
    sizeBytes,
    synced,
  }: { readonly sha256: string; readonly sizeBytes: number } & Pick<Park, 'synced'>,
): Promise<boolean> {
  if (!(await hasBlob(folder, sha256, sizeBytes)) || !(await renew(blobPath(folder, sha256)))) return false;
  const names = sha256.slice(0, 2);
  if (!synced.has(names)) await syncDir(join(folder, names));
  synced.add(names);
  return true;
}

/** A blob that is about to be named again counts as new: a sweep of what nobody names leaves it. False when it is gone. */
async function renew(path: string): Promise<boolean> {
  const now = new Date();
  try {
    await utimes(path, now, now);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw ioFault(error, 'Saving a version', path);
  }
}

export const hasBlob = async (folder: string, sha256: string, sizeBytes: number): Promise<boolean> => {
  const stat = await statIfThere(blobPath(folder, sha256));
  return stat?.isFile() === true && Number(stat.size) === sizeBytes;
};

/** Null when there is none. The caller closes it. */
export const openBlob = async (folder: string, sha256: string): Promise<FileHandle | null> => {
  const path = blobPath(folder, sha256);
  try {
    return await open(path, constants.O_RDONLY | NO_FOLLOW);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw ioFault(error, 'Reading a saved version', path);
  }
};

/** Copies a blob and checks it on the way. Faults: `unreadable` when it is missing or damaged, `io`. */
export const copyBlob = async (folder: string, sha256: string, target: FileHandle): Promise<void> => {
  const source = await openBlob(folder, sha256);
  if (source === null) throw lostBlob(sha256, 'missing');
  try {
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(source)) {
      hash.update(chunk);
      await writeFully(target, chunk);
    }
    if (hash.digest('hex') !== sha256) throw lostBlob(sha256, 'damaged');
  } finally {
    await source.close();
  }
};

const lostBlob = (sha256: string, how: string): BridgeError =>
  new BridgeError('unreadable', `A saved version is ${how}: ${sha256}. Nothing was replaced by it.`, {
    data: { sha256 },
  });

interface Temp {
  readonly path: string;
  readonly handle: FileHandle;
}

async function openTemp(folder: string): Promise<Temp> {
  const parent = join(folder, 'tmp');
  await makePrivateDir(parent);
  const path = join(parent, `.blob.${newName()}.skein-tmp`);
  try {
    return { path, handle: await open(path, 'wx', 0o600) };
  } catch (error) {
    throw ioFault(error, 'Saving a version', path);
  }
}

async function keep(folder: string, temp: Temp, sha256: string): Promise<void> {
  await temp.handle.chmod(0o600);
  await temp.handle.sync();
  await makePrivateDir(join(folder, sha256.slice(0, 2)));
  await rename(temp.path, blobPath(folder, sha256));
  await syncDir(join(folder, sha256.slice(0, 2)));
}

async function dispose(temp: Temp): Promise<void> {
  await temp.handle.close();
  await rm(temp.path, { force: true });
}

/** A blob as a whole, null when it is missing or damaged. For contents that are only shown. Fault `io`. */
export const readBlob = async (folder: string, sha256: string): Promise<Uint8Array | null> => {
  const handle = await openBlob(folder, sha256);
  if (handle === null) return null;
  try {
    const bytes = await handle.readFile();
    return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : null;
  } finally {
    await handle.close();
  }
};

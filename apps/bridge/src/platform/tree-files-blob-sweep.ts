/**
 * Removes blobs that nobody names. Another process may be about to name one at any moment: it makes the blob young
 * first (tree-files-blobs.ts). So a blob is moved aside, looked at again, and put back when it became young in between;
 * what a crash left aside is put back by the next sweep.
 */
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { listDir, makePrivateDir, statIfThere, syncDir } from './files.ts';
import { errnoOf, ioFault } from './io-fault.ts';
import { removeTree } from './trash.ts';

const BLOB_NAME = /^([0-9a-f]{64})(\.z)?$/;
const SHARD = /^[0-9a-f]{2}$/;
const ASIDE = 'aside';

export interface BlobFile {
  readonly sha256: string;
  readonly path: string;
  /** As it lies on disk. */
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** Every blob of a folder, in no order; an absent folder has none. Fault `io`. */
export async function* listBlobs(folder: string): AsyncGenerator<BlobFile> {
  for (const shard of await listDir(folder)) {
    if (shard.kind === 'dir' && shard.name !== null && SHARD.test(shard.name))
      yield* blobsIn(join(folder, shard.name));
  }
}

async function* blobsIn(shard: string): AsyncGenerator<BlobFile> {
  for (const { name, kind } of await listDir(shard)) {
    const sha256 = name === null ? undefined : BLOB_NAME.exec(name)?.[1];
    if (kind !== 'file' || name === null || sha256 === undefined) continue;
    const path = join(shard, name);
    const stat = await statIfThere(path);
    if (stat !== null) yield { sha256, path, bytes: Number(stat.size), mtimeMs: Number(stat.mtimeMs) };
  }
}

export interface Swept {
  readonly blobs: number;
  readonly bytes: number;
}

/**
 * Removes what `isNeeded` denies and what was last stored before `beforeMs`. The caller read everything that names blobs
 * after `putBackBlobs` and holds the lock of upkeeps. `between` is called while a blob lies aside, for tests. Fault `io`.
 */
export const sweepBlobs = async (
  folder: string,
  sweep: {
    readonly isNeeded: (sha256: string) => boolean;
    readonly beforeMs: number;
    readonly signal?: AbortSignal | undefined;
    readonly between?: ((blob: BlobFile) => Promise<void>) | undefined;
  },
): Promise<Swept> => {
  let [blobs, bytes] = [0, 0];
  for await (const blob of listBlobs(folder)) {
    if (sweep.signal?.aborted === true) break;
    if (sweep.isNeeded(blob.sha256) || blob.mtimeMs >= sweep.beforeMs) continue;
    if (!(await takeAway(folder, blob, sweep))) continue;
    blobs += 1;
    bytes += blob.bytes;
  }
  return { blobs, bytes };
};

const takeAway = async (
  folder: string,
  blob: BlobFile,
  sweep: Parameters<typeof sweepBlobs>[1],
): Promise<boolean> => {
  const aside = join(folder, ASIDE);
  await makePrivateDir(aside);
  const name = blob.path.slice(blob.path.lastIndexOf('/') + 1);
  const there = join(aside, name);
  await sweep.between?.(blob);
  if (!(await move(blob.path, there))) return false;
  await sweep.between?.(blob);
  const stat = await statIfThere(there);
  if (stat !== null && Number(stat.mtimeMs) >= sweep.beforeMs) {
    await putBack(folder, name);
    return false;
  }
  await removeTree(there);
  return true;
};

/** For what a crash left aside: nobody knows any more whether it was needed. Fault `io`. */
export const putBackBlobs = async (folder: string): Promise<void> => {
  for (const { name } of await listDir(join(folder, ASIDE))) {
    if (name !== null && BLOB_NAME.test(name)) await putBack(folder, name);
  }
};

/** One that was stored anew meanwhile is as good: either may replace the other. */
const putBack = async (folder: string, name: string): Promise<void> => {
  const shard = join(folder, name.slice(0, 2));
  await makePrivateDir(shard);
  await move(join(folder, ASIDE, name), join(shard, name));
  await syncDir(shard);
};

const move = async (from: string, to: string): Promise<boolean> => {
  try {
    await fs.rename(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw ioFault(error, 'Clearing up saved versions', from);
  }
};

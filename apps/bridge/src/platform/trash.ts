/**
 * `trash/`: what is taken away for good lies here for a while first. The name says since when, since moving changes no
 * time of a file; what has another name was put here by somebody else and is left alone.
 */
import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listDir, makePrivateDir, syncDir } from './files.ts';
import { newName } from './ids.ts';
import { errnoOf, ioFault } from './io-fault.ts';

const NAME = /^upkeep-(\d+)-[0-9a-z]{12}-/;

/** Moves a file or folder there as one step; false when it is gone already. Durable when it resolves. Fault `io`. */
export const moveToTrash = async (path: string, trash: string, nowMs: number): Promise<boolean> => {
  await makePrivateDir(trash);
  try {
    await fs.rename(path, join(trash, `upkeep-${nowMs}-${newName()}-${basename(path)}`));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw ioFault(error, 'Moving to the trash', path);
  }
  await syncDir(trash);
  await syncDir(dirname(path));
  return true;
};

/** Deletes what an upkeep moved here and has lain here longer; returns how many. Fault `io`. */
export const emptyTrash = async (
  trash: string,
  { nowMs, olderThanMs }: { readonly nowMs: number; readonly olderThanMs: number },
): Promise<number> => {
  let removed = 0;
  for (const { name } of await listDir(trash)) {
    const since = name === null ? undefined : NAME.exec(name)?.[1];
    if (name === null || since === undefined || nowMs - Number(since) < olderThanMs) continue;
    await removeTree(join(trash, name));
    removed += 1;
  }
  return removed;
};

/** Deletes a file or a folder with all that is in it; links are not followed. Fault `io`. */
export const removeTree = async (path: string): Promise<void> => {
  try {
    await fs.rm(path, { recursive: true, force: true });
  } catch (error) {
    throw ioFault(error, 'Deleting', path);
  }
};

/**
 * Whether a folder of the user's is gone for good as far as anybody can tell: the system says twice, some time apart,
 * that there is no such thing. Any other answer (no permission, an I/O fault, a stale mount) means that nobody knows.
 */
export const isGoneTwice = async (path: string, apartMs: number): Promise<boolean> => {
  if (!(await isGone(path))) return false;
  await sleep(apartMs);
  return isGone(path);
};

const isGone = async (path: string): Promise<boolean> => {
  try {
    await fs.stat(path);
    return false;
  } catch (error) {
    const errno = errnoOf(error);
    return errno === 'ENOENT' || errno === 'ENOTDIR';
  }
};

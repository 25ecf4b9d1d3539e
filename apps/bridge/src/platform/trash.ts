/** Nothing that may be the user's only copy is deleted at once: it waits in `trash/` for some days. */
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { listDir, makePrivateDir, statIfThere, syncDir } from './files.ts';
import { newName } from './ids.ts';
import { errnoOf, ioFault } from './io-fault.ts';

const NAME = /^\d{13}-/;

/** Resolves when it is there, durably; nothing happens when the path is gone already. Fault `io`. */
export const moveToTrash = async (trash: string, path: string, nowMs: number): Promise<void> => {
  await makePrivateDir(trash);
  const target = join(trash, `${nowMs}-${newName()}-${basename(path)}`);
  try {
    await rename(path, target);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw ioFault(error, 'Moving into the trash', path);
  }
  await syncDir(trash);
};

/** Removes what was moved there longer ago. What has no date of ours in its name stays. Fault `io`. */
export const emptyTrash = async (trash: string, olderThanMs: number, nowMs: number): Promise<void> => {
  for (const { name } of await listDir(trash)) {
    if (name === null || !NAME.test(name) || nowMs - Number(name.slice(0, 13)) < olderThanMs) continue;
    await removeTree(join(trash, name));
  }
};

/** A file or a folder with all that is in it; links are removed, not followed. Fault `io`. */
export const removeTree = async (path: string): Promise<void> => {
  if ((await statIfThere(path)) === null) return;
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    throw ioFault(error, 'Removing a folder', path);
  }
};

/** Small private files: made once, put aside when they cannot be read, tightened when others could read them. */
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateDir, syncDir } from './files.ts';
import { errnoOf, ioFault } from './io-fault.ts';

/**
 * Writes a new file, 0600 whatever the umask. False when it is already there: then nothing changes. Durable when it
 * resolves. Fault `io`.
 */
export const createPrivateFile = async (path: string, text: string): Promise<boolean> => {
  await makePrivateDir(dirname(path));
  try {
    const handle = await fs.open(path, 'wx', 0o600);
    try {
      await handle.chmod(0o600);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw ioFault(error, 'Creating a private file', path);
  }
  await syncDir(dirname(path));
  return true;
};

/** Takes away what group and others may do. True when there was something. Windows has no such bits. */
export const tightenFile = async (path: string): Promise<boolean> => {
  if (process.platform === 'win32') return false;
  try {
    const { mode } = await fs.stat(path);
    if ((mode & 0o077) === 0) return false;
    await fs.chmod(path, mode & 0o700);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw ioFault(error, 'Making a file private', path);
  }
};

/** Renames a file that cannot be read to `<path>.unreadable-<stamp>` and returns that name; nothing is deleted. */
export const setAside = async (path: string, stamp: string): Promise<string> => {
  const aside = `${path}.unreadable-${stamp.replace(/[^0-9A-Za-z]/g, '')}`;
  try {
    await fs.rename(path, aside);
  } catch (error) {
    throw ioFault(error, 'Putting a file aside', path);
  }
  await syncDir(dirname(path));
  return aside;
};

/** Removes a file; one that is not there is fine. */
export const removeIfThere = async (path: string): Promise<void> => {
  try {
    await fs.rm(path, { force: true });
  } catch (error) {
    throw ioFault(error, 'Removing a file', path);
  }
};

/** Names of the files of a folder that end so, without the ending; an absent folder has none. */
export const namesEndingIn = async (dir: string, ending: string): Promise<readonly string[]> => {
  try {
    const names = await fs.readdir(join(dir));
    return names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw ioFault(error, 'Reading a folder', dir);
  }
};

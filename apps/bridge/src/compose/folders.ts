/** Folders and files that flows ask about: the picker of a new session, mentions, the editor. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf } from '../platform/io-fault.ts';
import { isInside, realPathIfThere } from '../platform/paths.ts';

const MAX_FOLDERS = 2000;

/** Real path of an existing folder, else null. */
export const realFolder = async (path: string): Promise<string | null> => {
  const real = await realPathIfThere(path);
  return real !== null && (await isFolder(real)) ? real : null;
};

export interface Subfolders {
  path: string;
  parent: string | null;
  folders: { name: string; path: string; git: boolean }[];
}

/** Sub-folders by name, hidden ones last; null when the folder cannot be read. */
export const subfolders = async (path: string): Promise<Subfolders | null> => {
  const real = await realFolder(path);
  if (real === null) return null;
  try {
    const entries = await readdir(real, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isDirectory() && entry.name !== '.git')
      .map(({ name }) => name);
    names.sort((a, b) => Number(a.startsWith('.')) - Number(b.startsWith('.')) || a.localeCompare(b));
    const folders = names.slice(0, MAX_FOLDERS).map(async (name) => {
      const child = join(real, name);
      return { name, path: child, git: (await realPathIfThere(join(child, '.git'))) !== null };
    });
    const parent = dirname(real);
    return { path: real, parent: parent === real ? null : parent, folders: await Promise.all(folders) };
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
};

/** Absolute real path of a file inside `root`; null when it is missing or leads outside. */
export const fileInside = async (root: string, path: string): Promise<string | null> => {
  const real = await realPathIfThere(join(root, path));
  return real !== null && isInside(real, root) && !(await isFolder(real)) ? real : null;
};

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return false;
  }
};

/**
 * When rules change, files come into sight that were there all along, and were ignored. Undoing the turn must not take
 * them for files that it created (requirements row 83): the old rules, put beside each other in a folder of their own,
 * say which they are.
 */
import { join } from 'node:path';
import { asBytePath, type BytePath, joinPath, parentPath } from '../../platform/byte-path.ts';
import type { Git } from '../../platform/git.ts';
import { makeFiles } from '../../platform/scratch.ts';
import type { Captured } from './captured.ts';
import { entryAt, type Folder, indexOfName } from './folder.ts';
import { ignoredOf } from './ignore-rules.ts';
import { readBlobs } from './read-objects.ts';
import { IGNORE_NAME } from './rules.ts';
import type { StoreDir } from './store-dir.ts';

interface StoreAccess {
  readonly git: Git;
  readonly store: StoreDir;
}

interface RuleFile {
  readonly path: BytePath;
  readonly bytes: Uint8Array;
}

/** Of these new paths, those that the rules of `before` hid, or may have hidden. Faults: `io`, `missing_program`. */
export const hiddenBefore = async (
  access: StoreAccess,
  before: Captured,
  paths: readonly BytePath[],
): Promise<ReadonlySet<BytePath>> => {
  if (paths.length === 0) return new Set();
  const inTree = await ignoreFilesOf(access, before);
  await using scratch = await makeFiles(join(access.store.gitDir, 'scratch'), [
    ...repositoryWith(before),
    ...inTree,
  ]);
  const [gitDir, root, excludesFile] = ['git', 'work', 'excludes'].map((name) =>
    join(scratch.path, name),
  ) as [string, string, string];
  const hidden = await ignoredOf({ git: access.git, gitDir, root, excludesFile }, paths);
  const doubtful = doubtfulFolders(before);
  return new Set([...hidden, ...paths.filter((path) => isBelowOne(doubtful, path))]);
};

/** The least that git takes for a repository, and the rules from outside the work tree. */
const repositoryWith = ({ rules }: Captured): readonly RuleFile[] => {
  const { exclude, excludes } = rules.outer;
  const file = (path: string, text: string): RuleFile => ({
    path: asBytePath(path),
    bytes: Buffer.from(text, 'latin1'),
  });
  return [
    file('git/HEAD', 'ref: refs/heads/none\n'),
    file('git/objects/none', ''),
    file('git/refs/none', ''),
    file('git/info/exclude', exclude),
    file('excludes', excludes),
    file('work/none', ''),
  ];
};

const ignoreFilesOf = async (
  { git, store }: StoreAccess,
  { state }: Captured,
): Promise<readonly RuleFile[]> => {
  const found: { path: BytePath; oid: string; bytes: number }[] = [];
  for (const folder of state.folders.values()) {
    const rules = capturedRules(folder);
    if (rules === null) continue;
    const path = asBytePath(`work/${joinPath(folder.path, IGNORE_NAME)}`);
    found.push({ path, oid: rules.oid.toString('hex'), bytes: rules.sight.size });
  }
  const files: RuleFile[] = [];
  let at = 0;
  for await (const { bytes } of readBlobs(git, store, found)) {
    const path = found[at]?.path;
    at += 1;
    if (path !== undefined && bytes !== null) files.push({ path, bytes });
  }
  return files;
};

const capturedRules = (folder: Folder) => {
  const at = indexOfName(folder.names, IGNORE_NAME);
  const entry = at < 0 ? null : entryAt(folder, at);
  return entry === null || entry.isLink ? null : entry;
};

/** Folders whose rules were in force but are not captured, because other rules hid them: nobody knows what they said. */
const doubtfulFolders = ({ state }: Captured): ReadonlySet<BytePath> =>
  new Set(
    [...state.folders.values()]
      .filter((folder) => folder.rules !== 0 && capturedRules(folder) === null)
      .map(({ path }) => path),
  );

const isBelowOne = (folders: ReadonlySet<BytePath>, path: BytePath): boolean => {
  if (folders.size === 0) return false;
  for (let above = parentPath(path); ; above = parentPath(above)) {
    if (folders.has(above)) return true;
    if (above === '') return false;
  }
};

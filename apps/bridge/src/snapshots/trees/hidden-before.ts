/**
 * When rules change, files come into sight that were there all along, and were ignored. Undoing the turn must not take
 * them for files that it created (requirements row 83): the old rules, put beside each other in a folder of their own,
 * say which they are.
 */
import { join } from 'node:path';
import { type BytePath, joinPath } from '../../platform/byte-path.ts';
import { makeFiles } from '../../platform/scratch.ts';
import type { TreeState } from './findings.ts';
import { entryAt, indexOfName } from './folder.ts';
import { type IgnoreContext, ignoredOf } from './ignore-rules.ts';
import { readBlobs } from './read-objects.ts';
import { IGNORE_NAME } from './rules.ts';
import type { StoreDir } from './store-dir.ts';

/** Of these new paths, those that the `.gitignore` files of `before` hid. Faults: `io`. */
export const hiddenBefore = async (
  context: IgnoreContext,
  store: StoreDir,
  asked: { readonly before: TreeState; readonly paths: readonly BytePath[] },
): Promise<ReadonlySet<BytePath>> => {
  if (asked.paths.length === 0) return new Set();
  const files = await ignoreFilesOf(context, store, asked.before);
  await using scratch = await makeFiles(join(store.gitDir, 'scratch'), files);
  return await ignoredOf({ ...context, root: scratch.path }, asked.paths);
};

const ignoreFilesOf = async (
  { git }: IgnoreContext,
  store: StoreDir,
  before: TreeState,
): Promise<readonly { readonly path: BytePath; readonly bytes: Uint8Array }[]> => {
  const found: { path: BytePath; oid: string; bytes: number }[] = [];
  for (const folder of before.folders.values()) {
    const at = indexOfName(folder.names, IGNORE_NAME);
    if (at < 0) continue;
    const { oid, sight } = entryAt(folder, at);
    found.push({ path: joinPath(folder.path, IGNORE_NAME), oid: oid.toString('hex'), bytes: sight.size });
  }
  const files: { path: BytePath; bytes: Uint8Array }[] = [];
  let at = 0;
  for await (const { bytes } of readBlobs(git, store, found)) {
    const path = found[at]?.path;
    at += 1;
    if (path !== undefined && bytes !== null) files.push({ path, bytes });
  }
  return files;
};

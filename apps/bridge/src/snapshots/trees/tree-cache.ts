/**
 * What was known of a work tree when it was last captured, for the next start. Only ever a shortcut: every file is still
 * compared with its numbers, and the cache counts only while the store keeps the commit that it rests on.
 */

import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { BytePath } from '../../platform/byte-path.ts';
import { readFileIfThere, removeFile, writeFileAtomic } from '../../platform/files.ts';
import type { TreeState } from './findings.ts';
import type { Folder } from './folder.ts';
import type { Rules } from './rules.ts';
import type { StoreDir } from './store-dir.ts';

export interface CachedTree {
  readonly state: TreeState;
  readonly rules: Rules;
  readonly commit: string;
  /** Of the store when it was written. */
  readonly packs: ReadonlySet<string>;
}

const VERSION = `2 ${process.versions.v8}`;

/** Not `worktrees`: git's gc empties that one. */
const cacheFile = (store: StoreDir, worktree: string): string =>
  join(store.gitDir, 'caches', `${worktree}.cache`);

/** Fault `io`. */
export const writeTreeCache = async (
  store: StoreDir,
  worktree: string,
  cached: CachedTree,
): Promise<void> => {
  const { state, rules, commit, packs } = cached;
  const body = serialize({
    version: VERSION,
    root: state.root,
    folders: [...state.folders.values()],
    leftOut: state.leftOut,
    rules,
    commit,
    packs,
  });
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  await writeFileAtomic(cacheFile(store, worktree), Buffer.concat([sum, body]));
};

/** Null when there is none that can be used; a damaged one is removed. Fault `io`. */
export const readTreeCache = async (
  store: StoreDir,
  worktree: string,
  root: BytePath,
): Promise<CachedTree | null> => {
  const path = cacheFile(store, worktree);
  const bytes = await readFileIfThere(path);
  if (bytes === null) return null;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < 8 || file.readUInt32BE(0) !== crc32(file.subarray(4))) {
    await removeFile(path);
    return null;
  }
  // Our own file, whole by its checksum and of this very version: its shape is the one that was written.
  const found = deserialize(file.subarray(4)) as {
    version: string;
    root: BytePath;
    folders: Folder[];
    leftOut: TreeState['leftOut'];
    rules: Rules;
    commit: string;
    packs: Set<string>;
  };
  if (found.version !== VERSION || found.root !== root) return null;
  const folders = new Map(found.folders.map((folder) => [folder.path, withBuffers(folder)]));
  const { leftOut, rules, commit, packs } = found;
  return { state: { root, folders, leftOut }, rules, commit, packs };
};

/** Buffers come back as plain byte arrays. */
const withBuffers = (folder: Folder): Folder => ({
  ...folder,
  ids: Buffer.from(folder.ids),
  tree: folder.tree === null ? null : Buffer.from(folder.tree),
});

/** Whether a store still has what the memory of a work tree rests on. */
import { join } from 'node:path';
import { listDir } from '../../platform/files.ts';
import type { Git } from '../../platform/git.ts';
import type { TreeState } from './findings.ts';
import { entryAt } from './folder.ts';
import { missingOf } from './read-objects.ts';
import type { StoreDir } from './store-dir.ts';

/** Names of the packs that git can read: those with an index. Fault `io`. */
export const packsOf = async ({ objects }: StoreDir): Promise<ReadonlySet<string>> => {
  const names = new Set((await listDir(join(objects, 'pack'))).map(({ name }) => name ?? ''));
  const packs = [...names].filter((name) => name.endsWith('.pack'));
  return new Set(packs.filter((name) => names.has(name.replace(/pack$/, 'idx'))));
};

export const hasAllPacks = (now: ReadonlySet<string>, before: ReadonlySet<string>): boolean =>
  [...before].every((name) => now.has(name));

/** Git is asked for every content and every tree of the state. Fault `io`. */
export const hasAllObjects = async (
  git: Git,
  store: StoreDir,
  { state, commit }: { readonly state: TreeState; readonly commit: string },
): Promise<boolean> => {
  const oids = new Set([commit]);
  for (const folder of state.folders.values()) {
    if (folder.tree !== null && folder.tree.length > 0) oids.add(folder.tree.toString('hex'));
    for (const at of folder.names.keys()) oids.add(entryAt(folder, at).oid.toString('hex'));
  }
  return (await missingOf(git, store, [...oids])).length === 0;
};

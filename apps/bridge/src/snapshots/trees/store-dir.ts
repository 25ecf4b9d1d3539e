/**
 * A store on disk: a bare git directory of our own, `snapshots/repos/<key>.git`. It runs nothing of the user's and
 * writes nothing into the user's `.git`; its content is byte for byte what lay in the work tree.
 */
import { join } from 'node:path';
import { z } from 'zod';
import {
  makePrivateDir,
  readFileIfThere,
  renameIntoPlace,
  statIfThere,
  writeFileAtomic,
} from '../../platform/files.ts';
import type { TreePlace } from './place.ts';

export interface StoreDir {
  readonly key: string;
  readonly gitDir: string;
  readonly objects: string;
}

/** `skein.json` in the store: what it keeps, for people and upkeep. */
export const storeFileSchema = z.object({
  v: z.literal(1),
  workspace: z.string(),
  kind: z.enum(['git', 'folder']),
});

const CONFIG = `[core]
	repositoryformatversion = 0
	bare = true
	logAllRefUpdates = false
[gc]
	auto = 0
	writeCommitGraph = false
[maintenance]
	auto = false
`;

export const storeDirOf = (reposDir: string, key: string): StoreDir => {
  const gitDir = join(reposDir, `${key}.git`);
  return { key, gitDir, objects: join(gitDir, 'objects') };
};

/**
 * Makes it where it is missing and brings its rules up to date. A store is built beside its place and renamed, so a half
 * one is never found there. Fault `io`.
 */
export const openStoreDir = async (reposDir: string, place: TreePlace): Promise<StoreDir> => {
  const store = storeDirOf(reposDir, place.key);
  if ((await statIfThere(join(store.gitDir, 'HEAD'))) === null) {
    await renameIntoPlace(store.gitDir, (temp) => fill(temp, place));
  }
  await writeIfDifferent(join(store.gitDir, 'info', 'exclude'), place.exclude);
  return store;
};

const fill = async (dir: string, place: TreePlace): Promise<void> => {
  for (const name of ['objects/pack', 'refs/skein', 'info', 'caches', 'cookies'])
    await makePrivateDir(join(dir, name));
  await writeFileAtomic(join(dir, 'config'), CONFIG);
  await writeFileAtomic(
    join(dir, 'info', 'attributes'),
    '* -text -ident -filter -working-tree-encoding -eol\n',
  );
  await writeFileAtomic(join(dir, 'info', 'exclude'), place.exclude);
  const about: z.infer<typeof storeFileSchema> = { v: 1, workspace: place.root, kind: place.kind };
  await writeFileAtomic(join(dir, 'skein.json'), `${JSON.stringify(about)}\n`);
  await writeFileAtomic(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
};

const writeIfDifferent = async (path: string, text: string): Promise<void> => {
  const bytes = await readFileIfThere(path);
  if (bytes !== null && Buffer.from(bytes).toString('latin1') === text) return;
  await writeFileAtomic(path, Buffer.from(text, 'latin1'));
};

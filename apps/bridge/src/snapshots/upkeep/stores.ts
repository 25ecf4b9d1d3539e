/** The tree stores on disk. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bytesIn } from '../../platform/disk-usage.ts';
import { listDir, readFileIfThere, statIfThere } from '../../platform/files.ts';
import { moveToTrash, removeTree } from '../../platform/trash.ts';
import { listRefs } from '../trees/refs.ts';
import { type StoreDir, storeDirOf, storeFileSchema } from '../trees/store-dir.ts';
import { countTurns } from '../trees/upkeep.ts';
import type { UpkeepDeps } from './upkeep-deps.ts';

export interface KeptStore {
  readonly dir: StoreDir;
  /** Null when its own file cannot be read: such a store is never taken for one that nobody needs. */
  readonly workspace: string | null;
  readonly kind: 'git' | 'folder';
  readonly bytes: number;
  readonly turns: number;
  readonly usedMs: number | null;
  readonly gone: boolean;
}

export const reposIn = (dataDir: string): string => join(dataDir, 'snapshots', 'repos');

/** Fault `io`. */
export const listStores = async (deps: UpkeepDeps): Promise<readonly KeptStore[]> => {
  const stores: KeptStore[] = [];
  for (const { name, kind } of await listDir(reposIn(deps.dataDir))) {
    if (kind !== 'dir' || name === null || !/^[0-9a-f]{32}\.git$/.test(name)) continue;
    stores.push(await lookAtStore(deps, storeDirOf(reposIn(deps.dataDir), name.slice(0, -4))));
  }
  return stores;
};

const lookAtStore = async (deps: UpkeepDeps, dir: StoreDir): Promise<KeptStore> => {
  const bytes = await readFileIfThere(join(dir.gitDir, 'skein.json'));
  const about = storeFileSchema.safeParse(bytes === null ? null : parse(Buffer.from(bytes).toString('utf8')));
  const refs = deps.git === null ? [] : await listRefs(deps.git, dir, 'refs/skein');
  const newest = refs.reduce((latest, { at }) => Math.max(latest, at), 0);
  return {
    dir,
    workspace: about.success ? about.data.workspace : null,
    kind: about.success ? about.data.kind : 'folder',
    bytes: await bytesIn(dir.gitDir),
    turns: deps.git === null ? 0 : await countTurns(deps.git, dir),
    usedMs: newest === 0 ? null : newest * 1000,
    gone: about.success && (await isGone(about.data.workspace)),
  };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/** Twice, a moment apart: a disk that is being mounted is not gone. Any error but "not there" is no answer. */
const isGone = async (workspace: string): Promise<boolean> => {
  if ((await statIfThere(workspace)) !== null) return false;
  await wait(200);
  return (await statIfThere(workspace)) === null;
};

const DAY_MS = 24 * 3600_000;

/** A store whose folder vanished goes into the trash after a day without use. Fault `io`. */
export const evictGone = async (deps: UpkeepDeps, store: KeptStore): Promise<boolean> => {
  const idle = deps.nowMs() - (store.usedMs ?? 0);
  if (!store.gone || store.usedMs === null || idle < DAY_MS) return false;
  await deps.forgetStore(store.dir.key);
  await moveToTrash(join(deps.dataDir, 'trash'), store.dir.gitDir, deps.nowMs());
  return true;
};

/** At once, because the user asked for it. Fault `io`. */
export const removeStore = async (deps: UpkeepDeps, { dir }: Pick<KeptStore, 'dir'>): Promise<void> => {
  await deps.forgetStore(dir.key);
  await removeTree(dir.gitDir);
};

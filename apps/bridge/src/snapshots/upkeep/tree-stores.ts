/**
 * Tree stores as folders on disk: their sizes, who they are for, eviction. What needs git (dropping refs, gc) is handed
 * in by whoever has it. A store that does not say whose it is is never taken for unneeded.
 */
import { dirname, join } from 'node:path';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import { z } from 'zod';
import { bytesBelow, freeBytes } from '../../platform/disk-space.ts';
import { type DirEntry, listDir, readFileIfThere, removeFile, statIfThere } from '../../platform/files.ts';
import { isGoneTwice, moveToTrash, removeTree } from '../../platform/trash.ts';
import type { TreeStore, TreeUpkeep } from './types.ts';

export interface TreeStoreDeps {
  readonly reposDir: string;
  readonly trashDir: string;
  readonly nowMs: () => number;
  /** Nothing in the memory of this process rests on the store afterwards: it is about to go. */
  readonly forget: (key: string) => Promise<void>;
  /**
   * Null without git. `releaseTurns`: no ref of these turns is left when it resolves; repeatable. `gcStore`: nothing that
   * no ref keeps is left, the youngest hour excepted; `mayRepack` is false when the disk has no room for a second copy.
   */
  readonly git: {
    readonly releaseTurns: (key: string, strand: StrandId, turns: readonly TurnId[]) => Promise<void>;
    readonly gcStore: (key: string, options: { readonly mayRepack: boolean }) => Promise<void>;
  } | null;
}

const SUFFIX = '.git';
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** A mount that comes back within this time is no deletion. */
const ASK_AGAIN_MS = 200;

const metadataSchema = z.object({
  v: z.literal(1),
  workspace: z.string().startsWith('/'),
  kind: z.enum(['git', 'folder']),
});

export const createTreeUpkeep = (deps: TreeStoreDeps): TreeUpkeep => {
  const dirOf = (key: string): string => join(deps.reposDir, `${key}${SUFFIX}`);
  const isThere = async (key: string): Promise<boolean> => (await statIfThere(dirOf(key))) !== null;
  return {
    mayRelease: async (key) => deps.git !== null || !(await isThere(key)),
    async list() {
      const stores: TreeStore[] = [];
      for (const key of await keysIn(deps.reposDir)) stores.push(await lookAt(key, dirOf(key)));
      return stores;
    },
    async release(key, strand, turns) {
      if (await isThere(key)) await deps.git?.releaseTurns(key, strand, turns);
    },
    async gc(key) {
      if (deps.git === null || !(await isThere(key))) return;
      const [bytes, free] = [await bytesBelow(dirOf(key)), await freeBytes(dirOf(key))];
      await deps.git.gcStore(key, { mayRepack: free > 2 * bytes });
    },
    async evict(key) {
      const { workspace, lastUsedAtMs } = await lookAt(key, dirOf(key));
      const nowMs = deps.nowMs();
      if (workspace === null || nowMs - lastUsedAtMs < DAY_MS) return false;
      if (!(await isGoneTwice(workspace, ASK_AGAIN_MS)) || (await mayBeUnmounted(workspace))) return false;
      await deps.forget(key);
      return moveToTrash(dirOf(key), deps.trashDir, nowMs);
    },
    async remove(key) {
      await deps.forget(key);
      await removeTree(dirOf(key));
    },
    async sweepTemps() {
      let bytes = 0;
      for (const key of await keysIn(deps.reposDir)) {
        bytes += await sweepGitTemps(join(dirOf(key), 'objects'), deps.nowMs() - HOUR_MS);
      }
      return bytes;
    },
  };
};

const keysIn = async (reposDir: string): Promise<readonly string[]> =>
  (await listDir(reposDir)).flatMap(({ name, kind }) =>
    kind === 'dir' && name !== null && name.endsWith(SUFFIX) && !name.startsWith('.')
      ? [name.slice(0, -SUFFIX.length)]
      : [],
  );

const lookAt = async (key: string, dir: string): Promise<TreeStore> => {
  const metadata = await readMetadata(join(dir, 'skein.json'));
  const workspace = metadata?.workspace ?? null;
  return {
    key,
    workspace,
    kind: metadata?.kind ?? 'folder',
    bytes: await bytesBelow(dir),
    gone: workspace !== null && (await isGoneTwice(workspace, 0)),
    lastUsedAtMs: await newestTime(dir),
  };
};

const readMetadata = async (path: string): Promise<z.infer<typeof metadataSchema> | null> => {
  const bytes = await readFileIfThere(path);
  if (bytes === null) return null;
  try {
    const parsed = metadataSchema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/** Every capture writes an index and a ref; a gc at work its `gc.pid`, any other git its lock. */
const newestTime = async (dir: string): Promise<number> => {
  const refs = join(dir, 'refs', 'skein', 'turns');
  let newest = 0;
  for (const folder of [dir, refs]) {
    const paths = [folder, ...(await listDir(folder)).flatMap((entry) => pathIn(folder, entry))];
    for (const path of paths) newest = Math.max(newest, Number((await statIfThere(path))?.mtimeMs ?? 0));
  }
  return newest;
};

const pathIn = (folder: string, { name }: DirEntry): readonly string[] =>
  name === null ? [] : [join(folder, name)];

/** A mount point without its disk is an empty folder: what lay below it is not gone, only away. */
const mayBeUnmounted = async (workspace: string): Promise<boolean> => {
  for (let above = dirname(workspace); above !== dirname(above); above = dirname(above)) {
    const stat = await statIfThere(above);
    if (stat === null) continue;
    return stat.isDirectory() && (await listDir(above)).length === 0;
  }
  return false;
};

const sweepGitTemps = async (dir: string, beforeMs: number): Promise<number> => {
  let bytes = 0;
  for (const { name, kind } of await listDir(dir)) {
    if (name === null) continue;
    const path = join(dir, name);
    if (kind === 'dir') bytes += await sweepGitTemps(path, beforeMs);
    if (kind !== 'file' || !/^\.?tmp[-_]/.test(name)) continue;
    const stat = await statIfThere(path);
    if (stat === null || Number(stat.mtimeMs) >= beforeMs) continue;
    await removeFile(path);
    bytes += Number(stat.size);
  }
  return bytes;
};

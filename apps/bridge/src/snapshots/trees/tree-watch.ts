/** What the watcher told of since the last capture that was put in force; `lost` whenever it may not be everything. */
import { join } from 'node:path';
import { type BytePath, textOf } from '../../platform/byte-path.ts';
import { type DirChanges, watchDirChanges } from '../../platform/dir-changes.ts';
import { networkFileSystem } from '../../platform/paths.ts';
import type { Dirty } from './scan.ts';
import type { WorkTreeContext } from './work-tree-context.ts';

export interface TreeWatch {
  /** Everything since the last `settled`. */
  told(): Promise<Dirty | 'lost'>;
  /** A folder is about to be listed: from now on it is watched, whatever was watched under its name before. */
  onFolder(path: BytePath): void;
  /** A capture with all that was told is in force; these folders are no longer part of it. */
  settled(removed: readonly BytePath[]): void;
  close(): void;
}

/** More folders than this are not watched: each watch costs memory and one of the system's. */
const MAX_WATCHES = 12_000;

export const NO_WATCH: TreeWatch = {
  told: async () => 'lost',
  onFolder: () => undefined,
  settled: () => undefined,
  close: () => undefined,
};

/**
 * One that cannot watch everything watches nothing: every capture is then a full one. So it is on a network file system,
 * where other machines write without a word. Fault `io`.
 */
export const openTreeWatch = async (context: WorkTreeContext): Promise<TreeWatch> => {
  const root = textOf(context.root);
  if (root === null || (await networkFileSystem(root)) !== null) return NO_WATCH;
  const opened = watchDirChanges(context.root, join(context.store.gitDir, 'cookies'));
  return opened === null
    ? NO_WATCH
    : watchWith(opened, context.maxWatches ?? MAX_WATCHES, () =>
        context.notice?.(
          `Not every folder of ${root} can be watched (the system allows too few watches): every look at it is a full one.`,
        ),
      );
};

const watchWith = (opened: DirChanges, maxWatches: number, onRefused: () => void): TreeWatch => {
  let changes: DirChanges | null = opened;
  let pending: Map<BytePath, ReadonlySet<BytePath>> | 'lost' = 'lost';
  const giveUp = (): void => {
    changes?.close();
    changes = null;
    pending = 'lost';
  };
  return {
    async told() {
      const more = await changes?.drain();
      if (more === undefined || more === 'lost' || pending === 'lost') pending = 'lost';
      else
        for (const [path, names] of more)
          pending.set(path, new Set([...(pending.get(path) ?? []), ...names]));
      return pending;
    },
    onFolder(path) {
      if (changes === null) return;
      const hasRoom = changes.has(path) || changes.count() < maxWatches;
      if (hasRoom && changes.add(path)) return;
      giveUp();
      onRefused();
    },
    settled(removed) {
      if (changes === null) return;
      for (const path of removed) changes.remove(path);
      pending = new Map();
    },
    close: giveUp,
  };
};

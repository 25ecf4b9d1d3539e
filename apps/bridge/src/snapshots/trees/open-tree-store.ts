/** Opens the work trees of one process: the few that were used last stay open, with their memory and watchers. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import { type BytePath, bytePathOf } from '../../platform/byte-path.ts';
import { statIfThere } from '../../platform/files.ts';
import { stampOf } from '../../platform/stamp.ts';
import { createQueue } from '../queue.ts';
import { findTreePlace, type PlaceDeps, type TreePlace } from './place.ts';
import { readBlobs, type Wanted } from './read-objects.ts';
import { openStoreDir, storeDirOf } from './store-dir.ts';
import type { WorkTree } from './types.ts';
import { collectGarbage, releaseTurns } from './upkeep.ts';
import { openWorkTree } from './work-tree.ts';
import type { TreeDeps } from './work-tree-context.ts';

export interface TreeStoreDeps extends TreeDeps {
  /** Absolute real path of `snapshots/repos`. */
  readonly reposDir: string;
  readonly place: Omit<PlaceDeps, 'git' | 'own'>;
  /** Real paths of Skein's own folders: never captured, wherever they lie. */
  readonly own: readonly string[];
}

export type WorkTreeOutcome =
  | { readonly kind: 'open'; readonly tree: WorkTree }
  | { readonly kind: 'unsafe' };

export interface TreeStore {
  /** `root`: a real path. Faults: `io`, `missing_program`. */
  open(root: string): Promise<WorkTreeOutcome>;
  /** Contents by git's id, in the order asked for; null where the store does not have it. Fault `io`. */
  read(
    key: string,
    wanted: readonly Wanted[],
  ): AsyncIterable<{ readonly oid: string; readonly bytes: Buffer | null }>;
  /** No ref of these turns is left when it resolves; repeatable. Fault `io`. */
  releaseTurns(key: string, strand: StrandId, turns: readonly TurnId[]): Promise<void>;
  /** Nothing that no ref keeps is left, the youngest hour excepted. Fault `io`. */
  gcStore(key: string, options: { readonly mayRepack: boolean }): Promise<void>;
  /** Nothing in memory rests on the store afterwards: it may go. */
  forget(key: string): Promise<void>;
  /** Every open one is compared with what its watcher believes. */
  audit(): Promise<void>;
  close(): Promise<void>;
}

const MAX_OPEN = 4;

interface OpenTree {
  readonly tree: WorkTree;
  place: TreePlace;
  stamp: string;
}

export const openTreeStore = (deps: TreeStoreDeps): TreeStore => {
  const open = new Map<string, OpenTree>();
  const queue = createQueue();
  const placeDeps = { ...deps.place, git: deps.git, own: deps.own };

  const notice = onceEach(deps.notice);
  const newGeneration = counter();

  /** One whose captures somebody rests on stays open, however many there are. */
  const closeOldest = async (): Promise<void> => {
    const idle = [...open]
      .filter(([, { tree }]) => !tree.isHeld())
      .slice(0, Math.max(0, open.size - MAX_OPEN + 1));
    for (const [root, { tree }] of idle) {
      open.delete(root);
      await tree.close();
    }
  };

  const openAnew = async (root: string): Promise<WorkTreeOutcome> => {
    const known = open.get(root);
    const found = await findStable(placeDeps, root, known?.place.restsOn ?? null);
    if (found.kind === 'unsafe') return found;
    const { place, stamp } = found;
    const store = await openStoreDir(deps.reposDir, place);
    if (known?.tree.key === place.key) {
      Object.assign(known, { place, stamp });
      return { kind: 'open', tree: known.tree };
    }
    open.delete(root);
    await known?.tree.close();
    const made: { place: TreePlace } = { place };
    const tree = openWorkTree({
      ...deps,
      notice,
      store,
      place: () => made.place,
      root: bytePathOf(root),
      own: ownIn(deps.own, root),
      newGeneration,
      worktree: createHash('sha256').update(root).digest('hex').slice(0, 16),
    });
    await closeOldest();
    open.set(root, Object.assign(made, { tree, stamp }));
    return { kind: 'open', tree };
  };

  return {
    open: (root) =>
      queue.run(root, async () => {
        const known = open.get(root);
        if (known === undefined || !(await isCurrent(deps.reposDir, known))) return openAnew(root);
        // The one used last is the last to be closed.
        open.delete(root);
        open.set(root, known);
        return { kind: 'open', tree: known.tree };
      }),
    read: (key, wanted) => readBlobs(deps.git, storeDirOf(deps.reposDir, key), wanted),
    releaseTurns: (key, strand, turns) =>
      releaseTurns(deps.git, storeDirOf(deps.reposDir, key), { strand, turns }),
    gcStore: (key, { mayRepack }) =>
      collectGarbage(deps.git, storeDirOf(deps.reposDir, key), { nowMs: deps.nowMs(), mayRepack }),
    async forget(key) {
      for (const [root, { tree }] of open) {
        if (tree.key !== key) continue;
        open.delete(root);
        await tree.close();
      }
    },
    audit: () => auditAll([...open.values()], deps.onFault),
    async close() {
      const trees = [...open.values()];
      open.clear();
      for (const { tree } of trees) await tree.close();
    },
  };
};

/** Neither its rules changed nor was its store taken away. */
const isCurrent = async (reposDir: string, { tree, place, stamp }: OpenTree): Promise<boolean> =>
  (await stampOf(place.restsOn)) === stamp &&
  (await statIfThere(join(storeDirOf(reposDir, tree.key).gitDir, 'HEAD'))) !== null;

const auditAll = async (open: readonly OpenTree[], onFault: (error: unknown) => void): Promise<void> => {
  for (const { tree } of open) {
    const missed = await tree.audit();
    if (missed.length === 0) continue;
    onFault(new Error(`The watcher missed ${missed.length} changed files, first ${missed[0] ?? ''}.`));
  }
};

/** The stamp is taken before the files are read: what changes in between is read once more. */
const findStable = async (
  deps: PlaceDeps,
  root: string,
  guess: readonly string[] | null,
): Promise<
  { readonly kind: 'place'; readonly place: TreePlace; readonly stamp: string } | { kind: 'unsafe' }
> => {
  const stamp = await stampOf(guess ?? []);
  const found = await findTreePlace(deps, root);
  if (found.kind === 'unsafe') return found;
  const { place } = found;
  if (guess !== null && isDeepStrictEqual(guess, place.restsOn)) return { ...found, stamp };
  return findStable(deps, root, place.restsOn);
};

const onceEach = (say: ((text: string) => void) | undefined): ((text: string) => void) => {
  const said = new Set<string>();
  return (text) => {
    if (!said.has(text)) say?.(text);
    said.add(text);
  };
};

const counter = (): (() => number) => {
  let count = 0;
  return () => {
    count += 1;
    return count;
  };
};

const ownIn = (own: readonly string[], root: string): ReadonlySet<BytePath> => {
  const inside = own.filter((path) => path.startsWith(`${root}/`));
  return new Set(inside.map((path) => bytePathOf(path.slice(root.length + 1))));
};

/** What the parts of one open work tree share. */
import type { BytePath } from '../../platform/byte-path.ts';
import type { Git } from '../../platform/git.ts';
import type { TreePlace } from './place.ts';
import type { StoreDir } from './store-dir.ts';

export interface TreeDeps {
  readonly git: Git;
  readonly nowMs: () => number;
  readonly newName: () => string;
  /** Watch folders between captures; not in a process that ends soon. */
  readonly watch: boolean;
  /** More folders than this are not watched, and then none is. */
  readonly maxWatches?: number | undefined;
  /** A file larger than this is left out, and named. */
  readonly maxFileBytes: number;
  /** With less free space than this nothing is captured. */
  readonly minFreeBytes: number;
  /** What went wrong beside a capture: a watcher that missed something. */
  readonly onFault: (error: unknown) => void;
  /** What works less well here, in words, once for each. */
  readonly notice?: ((text: string) => void) | undefined;
  readonly failpoint?: ((name: string) => void | Promise<void>) | undefined;
}

export interface WorkTreeContext extends TreeDeps {
  readonly store: StoreDir;
  /** As it is now: the user's configuration may change while the tree is open. */
  readonly place: () => TreePlace;
  /** The place's root as bytes. */
  readonly root: BytePath;
  /** Folders of Skein's own inside the work tree. */
  readonly own: ReadonlySet<BytePath>;
  /** Counts captures: never the same number twice in a process, so that an old capture is known for what it is. */
  readonly newGeneration: () => number;
  /** Names the work tree in the store. */
  readonly worktree: string;
}

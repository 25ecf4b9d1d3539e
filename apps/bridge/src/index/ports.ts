/** What the index is given and what it answers. It knows nothing of places and formats. */
import type { StrandId } from '@skein/core/record/ids';

/** A file that may be in the index; `key` changes with its content. */
export interface IndexedFile {
  readonly path: string;
  readonly agent: string;
  readonly strand: StrandId;
  readonly title: string;
  readonly cwd: string | null;
  readonly updatedAt: string;
  readonly key: string;
}

export interface SyncProgress {
  readonly done: number;
  readonly total: number;
}

export interface SyncReport {
  readonly read: number;
  readonly removed: number;
  /** Files that could not be read, in words. */
  readonly notices: readonly string[];
}

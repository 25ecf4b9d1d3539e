/** What upkeep needs to know of the rest: who uses what, and what the user wants kept. */
import type { StrandId } from '@skein/core/record/ids';
import type { Git } from '../../platform/git.ts';
import type { ProcessIdentity } from '../../platform/host.ts';

export interface UpkeepPolicy {
  /** Days since a session's last use. */
  readonly retentionDays: number | 'forever';
  /** Of the saved versions of all workspaces, and of each tree store. */
  readonly maxBytes: number;
}

export interface UpkeepDeps {
  /** Absolute real path of the data directory. */
  readonly dataDir: string;
  readonly git: Git | null;
  readonly process: ProcessIdentity;
  readonly nowMs: () => number;
  readonly policy: () => Promise<UpkeepPolicy>;
  /** When the session's file was last written; null when there is no such session any more. */
  readonly lastUsedMs: (strand: StrandId) => Promise<number | null>;
  /** A turn or a restore runs, or any living process may write the session. Asked right before something goes. */
  readonly isInUse: (strand: StrandId) => Promise<boolean>;
  /** Memory that rests on a tree store is dropped: the store is about to go. */
  readonly forgetStore: (key: string) => Promise<void>;
}

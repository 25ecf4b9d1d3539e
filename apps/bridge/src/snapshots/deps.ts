/** What the snapshot store needs from outside, and where its files lie. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RecordId, StrandId } from '@skein/core/record/ids';
import type { Clock } from '../platform/clock.ts';
import type { ProcessIdentity } from '../platform/host.ts';
import type { Park } from '../platform/tree-files-blobs.ts';
import type { OpenTurns } from './open-turns.ts';
import type { Queue } from './queue.ts';
import type { TreeAccess } from './tree-access.ts';

export interface SnapshotStoreDeps {
  /** Absolute real path of the data directory. */
  readonly dataDir: string;
  readonly process: ProcessIdentity;
  readonly clock: Clock;
  readonly newRecordId: () => RecordId;
  /** 12 characters of [0-9a-z], for temp names. */
  readonly newName: () => string;
  /** Called at every step a crash may come between (docs/failpoints.md). A rejection counts as an I/O fault there. */
  /** For what commands change; without it only gated writes can be undone. */
  readonly trees: TreeAccess;
  /** What went wrong beside a call: a late capture, a watcher. */
  readonly onFault: (error: unknown) => void;
  readonly failpoint?: ((name: string) => void | Promise<void>) | undefined;
}

/** The same with what all parts of one store share. */
export interface StoreContext extends SnapshotStoreDeps {
  readonly queue: Queue;
  readonly openTurns: OpenTurns;
  /** Roots whose work tree is being captured after a turn; no restore begins there. */
  readonly settling: Set<string>;
  /** Saved versions that are known to be on disk (`Park.durable`). */
  readonly durableBlobs: Set<string>;
}

export const blobsDir = (deps: SnapshotStoreDeps): string => join(deps.dataDir, 'snapshots', 'blobs');

/** For one piece of work. */
export const parkOf = (store: StoreContext): Park => ({
  folder: blobsDir(store),
  synced: new Set(),
  durable: store.durableBlobs,
});

export const journalsDir = (deps: SnapshotStoreDeps): string => join(deps.dataDir, 'snapshots', 'journals');

export const journalFile = (deps: SnapshotStoreDeps, strand: StrandId): string =>
  join(journalsDir(deps), `${strand}.jsonl`);

export const locksDir = (deps: SnapshotStoreDeps): string => join(deps.dataDir, 'state', 'locks');

/** One restore at a time in a workspace, whichever process carries it out. */
export const restoreLock = (deps: SnapshotStoreDeps, root: string): string =>
  join(locksDir(deps), createHash('sha256').update(root).digest('hex'));

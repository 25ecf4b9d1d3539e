/** Retention, sweeps and purges of saved versions: what they need, and what they promise. */
import type { StoreCleanup, StoreUsage } from '@skein/core/protocol/store';
import type { RecordId, StrandId, TurnId } from '@skein/core/record/ids';
import type { RetentionLimits } from '@skein/core/restore/retention';
import type { Clock } from '../../platform/clock.ts';
import type { ProcessIdentity } from '../../platform/host.ts';

/** One `snapshots/repos/<key>.git`. */
export interface TreeStore {
  readonly key: string;
  /** Null when its `skein.json` does not say: then nobody may guess that it is not needed. */
  readonly workspace: string | null;
  readonly kind: 'git' | 'folder';
  readonly bytes: number;
  /** The system says that there is no such folder any more. */
  readonly gone: boolean;
  readonly lastUsedAtMs: number;
}

/** Upkeep of tree stores. Every function rejects with `io`, or what git said; then nothing more is assumed. */
export interface TreeUpkeep {
  /** False without git while the store is there: then turns whose contents lie in it cannot be given up one by one. */
  mayRelease(key: string): Promise<boolean>;
  list(): Promise<readonly TreeStore[]>;
  /** From now on nothing keeps what these turns need. Must be repeatable; a store that is gone has nothing to release. */
  release(key: string, strand: StrandId, turns: readonly TurnId[]): Promise<void>;
  /** Gives back what nothing keeps, the youngest hour excepted. */
  gc(key: string): Promise<void>;
  /** To the trash, when its workspace is gone and nobody uses it; whether it went. */
  evict(key: string): Promise<boolean>;
  /** Deleted at once, with all that is in it. */
  remove(key: string): Promise<void>;
  /** Leftovers of killed git processes, older than an hour. Returns bytes. */
  sweepTemps(): Promise<number>;
}

export interface UpkeepDeps {
  /** Absolute real path of the data directory. */
  readonly dataDir: string;
  readonly process: ProcessIdentity;
  readonly clock: Clock;
  readonly newRecordId: () => RecordId;
  /** When each session that has a file was last written, ms; null when that cannot be told right now. */
  readonly sessions: () => Promise<ReadonlyMap<StrandId, number> | null>;
  /** The same for one session, asked anew: null when it has no file. Fault `io`. */
  readonly lastWritten: (strand: StrandId) => Promise<number | null>;
  /**
   * Runs the work while nobody else can write in that session: its lease is held, no turn and no restore runs in it.
   * `in_use`: it did not run. Faults are those of the work.
   */
  readonly withLease: (strand: StrandId, work: () => Promise<void>) => Promise<'done' | 'in_use'>;
  /** Whether anybody may be saving contents right now, in this process or another. */
  readonly anyInUse: () => Promise<boolean>;
  readonly limits: () => Promise<RetentionLimits>;
  readonly trees: TreeUpkeep;
  /** One session or store that could not be seen to; the others are. */
  readonly onFault: (error: unknown) => void;
}

export interface Upkeep {
  /** Takes no lock: sizes of something that lives are a snapshot anyway. Fault `io`. */
  usage(): Promise<StoreUsage>;
  /** Retention, limits and sweeps. Faults: `busy` (another upkeep runs; `data.holder`), `io`. Ends early when aborted. */
  run(signal?: AbortSignal): Promise<StoreCleanup>;
  /**
   * Everything, or one store, except what sessions in use need. Faults: `busy`, `not_found` (no such store), `io`.
   */
  purge(options: { readonly key?: string | undefined }): Promise<StoreCleanup>;
}

/** Sessions that other agents wrote: where they are looked for, and what is known of each. */
import type { ForeignAgent } from '@skein/core/import/reader';
import type { ForeignSession } from '@skein/core/protocol/history';
import type { StrandId } from '@skein/core/record/ids';
import type { StrandRecord } from '@skein/core/record/schema';

export interface HistoryPlace {
  readonly agent: ForeignAgent;
  readonly dir: string;
  readonly from: 'found' | 'added';
}

export interface HistoryProblem {
  readonly line: number;
  readonly reason: string;
}

/** A session with its records as a strand would hold them, in order. */
export interface OpenedSession {
  readonly session: ForeignSession;
  readonly records: readonly StrandRecord[];
  /** Grows when records that were there before are no longer the same: readers start over. */
  readonly generation: number;
  readonly problems: readonly HistoryProblem[];
}

export interface HistoryStore {
  /** All sessions, newest first, after a look at every place. `notices`: what could not be looked at. */
  list(): Promise<{ readonly sessions: readonly ForeignSession[]; readonly notices: readonly string[] }>;
  places(): Promise<readonly (HistoryPlace & { readonly exists: boolean; readonly sessions: number })[]>;
  /** Null when no such session is known. Reads on when its file grew. Faults: `limit`, `io`. */
  open(id: StrandId): Promise<OpenedSession | null>;
  has(id: StrandId): Promise<boolean>;
  readonly vault: {
    usage(): Promise<{
      readonly rawBytes: number;
      readonly storedBytes: number;
      readonly damaged: number;
    }>;
    /** Bytes written; null when there is no copy of the file. Faults: `conflict`, `unreadable`, `io`. */
    restore(path: string, to: string): Promise<number | null>;
  };
}

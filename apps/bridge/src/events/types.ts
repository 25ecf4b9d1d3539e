/**
 * The event hub: one channel per strand and one global. Publishing never waits for a reader; a reader that
 * falls behind its bound loses live deltas first and is told so (`dropped`); records it always reads by cursor (DESIGN section 7).
 */
import type { GlobalEvent, StrandEvent } from '@skein/core/protocol/events';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { LiveEvent } from '@skein/core/turn/agent-event';

/** What sits in a reader's queue. `grew` says only that the file has more lines: the reader reads them by cursor. */
export type StrandSignal =
  | { readonly type: 'grew' }
  | ({ readonly type: 'live' } & LiveSignal)
  | { readonly type: 'dropped' };

export interface LiveSignal {
  readonly turn: TurnId;
  readonly event: LiveEvent;
  /** How many lines the file had when this was published; a reader that has seen more drops it as stale. */
  readonly seq: number;
  /** Counts the live events of a turn from 1; a reader that joined with a later catch-up drops it as seen. */
  readonly n: number;
}

export interface EventHub {
  strandGrew(strand: StrandId): void;
  live(strand: StrandId, live: LiveSignal): void;
  global(event: GlobalEvent): void;
  /**
   * Ends with the signal. Consecutive `grew` are merged. Subscribed when the call returns, not at the first read: who
   * does not loop to the end must call `return`.
   */
  followStrand(strand: StrandId, signal: AbortSignal): AsyncIterableIterator<StrandSignal>;
  followGlobal(signal: AbortSignal): AsyncIterableIterator<GlobalEvent>;
}

export type { GlobalEvent, StrandEvent };

/**
 * One reader's stream of a strand: every durable record after its cursor exactly once and in order, from the
 * file; live deltas in between, which may be dropped. There is no moment between replay and following that
 * could lose a record: the reader subscribes first and always reads by cursor.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandEvent } from '@skein/core/protocol/events';
import type { WindowItem } from '@skein/core/protocol/strands';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { RunningTurns } from '../agents/running-turns.ts';
import type { EventHub, LiveSignal } from '../events/types.ts';
import type { StrandStore } from '../strands/types.ts';

export interface FollowStrandDeps {
  readonly hub: Pick<EventHub, 'followStrand'>;
  readonly store: Pick<StrandStore, 'readAfter' | 'locate' | 'window'>;
  readonly running: Pick<RunningTurns, 'get'>;
}

export interface FollowedEvent {
  /** Set on durable records only. */
  readonly cursor: string | null;
  readonly event: StrandEvent;
}

const cursorOfItem = (item: WindowItem): string => {
  if (item.kind === 'bad') return `${item.seq}:-`;
  if (item.kind === 'unknown') return `${item.seq}:${item.id}`;
  const record = item.record as { readonly id?: unknown };
  return `${item.seq}:${typeof record.id === 'string' ? record.id : '-'}`;
};

const seqOf = (cursor: string): number => Number(cursor.split(':')[0]);

export const createFollowStrand = (deps: FollowStrandDeps) =>
  async function* (
    input: { readonly strand: StrandId; readonly after: string | null },
    signal: AbortSignal,
  ): AsyncGenerator<FollowedEvent> {
    await mustExist(deps, input.strand);
    const signals = deps.hub.followStrand(input.strand, signal);
    try {
      const reader = createReader(deps, input.strand, input.after ?? (await endOf(deps, input.strand)));
      if (!(yield* reader.readOn())) return;
      yield { cursor: null, event: { type: 'caught_up' } };
      yield* reader.join();
      for await (const next of signals) {
        if (next.type === 'live') yield* reader.live(next);
        else if (!(yield* reader.readOn())) return;
        else if (next.type === 'dropped') yield* reader.join();
      }
    } finally {
      // The subscription is there from the call on: a way out that did not come by the loop must end it too.
      await signals.return?.();
    }
  };

/** One reader's place in the file and in the running step. */
const createReader = (deps: FollowStrandDeps, strand: StrandId, start: string) => {
  let cursor = start;
  let seen: { readonly turn: TurnId; readonly n: number } | null = null;
  return {
    /** Every line after the cursor; false when the reader must start over. */
    async *readOn(): AsyncGenerator<FollowedEvent, boolean> {
      for (;;) {
        const next = await deps.store.readAfter(strand, cursor);
        if (next.kind === 'resync') {
          yield { cursor: null, event: { type: 'resync', reason: next.reason } };
          return false;
        }
        for (const item of next.items) {
          cursor = cursorOfItem(item);
          yield { cursor, event: { type: 'record', item } };
        }
        if (!next.more) return true;
      }
    },
    /** The unfinished step so far. What it contains is not sent again. */
    *join(): Generator<FollowedEvent> {
      const running = deps.running.get(strand);
      const partial = running?.catchUp() ?? null;
      if (running === undefined || running.turn === null || partial === null) return;
      seen = { turn: running.turn, n: partial.n };
      if (partial.seq < seqOf(cursor)) return;
      yield { cursor: null, event: { type: 'live', turn: running.turn, event: partial.event } };
    },
    /** Older than the lines this reader has seen, or part of the step it joined: dropped. */
    *live({ turn, event, seq, n }: LiveSignal): Generator<FollowedEvent> {
      if (seq < seqOf(cursor) || (turn === seen?.turn && n <= seen.n)) return;
      yield { cursor: null, event: { type: 'live', turn, event } };
    },
  };
};

const endOf = async (deps: FollowStrandDeps, strand: StrandId): Promise<string> => {
  const { cursor } = await deps.store.window(strand, { turns: 1, maxRecords: 1, maxBytes: 65_536 });
  return cursor;
};

const mustExist = async (deps: FollowStrandDeps, strand: StrandId): Promise<void> => {
  if ((await deps.store.locate(strand)) === null)
    throw new BridgeError('not_found', 'There is no such session.', { data: { strand } });
};

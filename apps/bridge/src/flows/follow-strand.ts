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
import type { EventHub } from '../events/types.ts';
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
    if ((await deps.store.locate(input.strand)) === null)
      throw new BridgeError('not_found', 'There is no such session.', { data: { strand: input.strand } });
    const signals = deps.hub.followStrand(input.strand, signal);
    let cursor = input.after ?? (await endOf(deps, input.strand));

    const readOn = async function* (): AsyncGenerator<FollowedEvent, boolean> {
      for (;;) {
        const next = await deps.store.readAfter(input.strand, cursor);
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
    };
    let seen: { readonly turn: TurnId; readonly n: number } | null = null;
    const isSeen = (live: { turn: TurnId; n: number }): boolean => live.turn === seen?.turn && live.n <= seen.n;
    const joined = function* (): Generator<FollowedEvent> {
      const running = deps.running.get(input.strand);
      const partial = running?.catchUp() ?? null;
      if (running === undefined || running.turn === null || partial === null) return;
      seen = { turn: running.turn, n: partial.n };
      if (partial.seq < seqOf(cursor)) return;
      yield { cursor: null, event: { type: 'live', turn: running.turn, event: partial.event } };
    };

    if (!(yield* readOn())) return;
    yield { cursor: null, event: { type: 'caught_up' } };
    yield* joined();
    for await (const next of signals) {
      switch (next.type) {
        case 'grew':
          if (!(yield* readOn())) return;
          break;
        case 'live':
          // Older than the lines this reader has seen, or part of the catch-up it joined with.
          if (next.seq < seqOf(cursor) || isSeen(next)) break;
          yield { cursor: null, event: { type: 'live', turn: next.turn, event: next.event } };
          break;
        case 'dropped':
          if (!(yield* readOn())) return;
          yield* joined();
          break;
      }
    }
  };

const endOf = async (deps: FollowStrandDeps, strand: StrandId): Promise<string> => {
  const { cursor } = await deps.store.window(strand, { turns: 1, maxRecords: 1, maxBytes: 65_536 });
  return cursor;
};

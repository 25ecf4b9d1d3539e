/**
 * A session as it grows: every durable record after a cursor exactly once and in order, live pieces in between.
 * A reconnect goes on after the last record seen; a cursor that no longer fits is answered by a new window.
 */
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { StrandRecord } from '@skein/core/record/schema';
import { lineOfWindowItem } from '@skein/core/strand/window-item';
import type { LiveEvent } from '@skein/core/turn/agent-event';
import type { ApiClient } from './deps.ts';
import { iterate } from './subscription.ts';

export type FeedEvent =
  | { readonly type: 'record'; readonly record: StrandRecord }
  | { readonly type: 'live'; readonly turn: TurnId; readonly event: LiveEvent }
  /** What was in the file has been told; what follows is new. */
  | { readonly type: 'caught_up' };

/** As they come off the wire. */
type WireItem = Awaited<ReturnType<ApiClient['strands']['window']['query']>>['items'][number];
type WireValue = Parameters<
  NonNullable<Parameters<ApiClient['events']['strand']['subscribe']>[1]['onData']>
>[0];
type WireEvent = Extract<WireValue, { type: string }>;

export interface FeedStart {
  readonly strand: StrandId;
  /** From a window. */
  readonly after: string;
}

export async function* followStrand(
  client: ApiClient,
  start: FeedStart,
  signal: AbortSignal,
): AsyncGenerator<FeedEvent> {
  const take = freshItems(start.after);
  let { after } = start;
  while (yield* oneStream(client, { input: { ...start, after }, take }, signal)) {
    const window = await client.strands.window.query({ strand: start.strand, turns: RESYNC_TURNS });
    for (const item of window.items) yield* take(item);
    after = window.cursor;
  }
}

type Take = (item: WireItem) => Generator<FeedEvent>;

/** True when the cursor no longer fits the file. */
async function* oneStream(
  client: ApiClient,
  { input, take }: { readonly input: FeedStart; readonly take: Take },
  signal: AbortSignal,
): AsyncGenerator<FeedEvent, boolean> {
  for await (const event of subscribed(client, input, signal)) {
    if (event.type === 'resync') return true;
    if (event.type === 'record') yield* take(event.item);
    else yield event;
  }
  return false;
}

/** Lets every line through once. */
const freshItems = (after: string): Take => {
  let seen = seqOf(after);
  return function* (item) {
    if (item.seq <= seen) return;
    seen = item.seq;
    const event = recordEvent(item);
    if (event !== null) yield event;
  };
};

const RESYNC_TURNS = 5;

const subscribed = (client: ApiClient, input: FeedStart, signal: AbortSignal): AsyncGenerator<WireEvent> =>
  iterate<WireEvent>(
    (observer) =>
      client.events.strand.subscribe(input, {
        ...observer,
        // Durable events come with their cursor around them.
        onData: (value) => observer.onData('type' in value ? value : value.data),
      }),
    signal,
  );

export const recordEvent = (item: WireItem): FeedEvent | null => {
  const { decoded } = lineOfWindowItem(item.kind === 'record' ? { ...item, record: item.record } : item);
  return decoded.kind === 'ok' ? { type: 'record', record: decoded.record } : null;
};

const seqOf = (cursor: string): number => Number(cursor.split(':')[0]);

/**
 * A session of another agent, read the way a strand is: windows from its end, and every new record after a cursor
 * while its file grows. Read-only: nothing here writes anywhere.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandEvent } from '@skein/core/protocol/events';
import type { ForeignSession, HistoryDetail } from '@skein/core/protocol/history';
import type { StrandSummary, StrandWindow, WindowItem } from '@skein/core/protocol/strands';
import type { RecordId, StrandId } from '@skein/core/record/ids';
import type { StrandRecord } from '@skein/core/record/schema';
import { isPrompt } from '@skein/core/strand/prompts';
import { emptyStrand, replay, type StrandState } from '@skein/core/strand/replay';
import { summaryOf } from '@skein/core/strand/summary';
import type { HistoryStore, OpenedSession } from '../history/types.ts';

export interface OpenHistoryDeps {
  readonly history: Pick<HistoryStore, 'open' | 'list'>;
  /** Resolves when it is time for another look at a file that is followed; at once when aborted. */
  readonly pause: (signal: AbortSignal) => Promise<void>;
}

const MAX_RECORDS = 3000;
const MAX_CHARACTERS = 8 * 1024 * 1024;

export interface FollowedEvent {
  readonly cursor: string | null;
  readonly event: StrandEvent;
}

export const createOpenHistory = (deps: OpenHistoryDeps) => {
  const must = async (id: StrandId): Promise<OpenedSession> => {
    const opened = await deps.history.open(id);
    if (opened === null)
      throw new BridgeError('not_found', 'There is no such session.', { data: { strand: id } });
    return opened;
  };
  return {
    async detail({ session }: { readonly session: StrandId }): Promise<HistoryDetail> {
      const opened = await must(session);
      return { session: opened.session, problems: [...opened.problems] };
    },
    state: async (id: StrandId): Promise<StrandState> => stateOf(await must(id)),
    summary: async (id: StrandId): Promise<StrandSummary> => summaryOfSession(await must(id)),
    /** Rows for naming a session by its id; nothing is opened. */
    summaries: async (): Promise<readonly StrandSummary[]> =>
      (await deps.history.list()).sessions.map((session) =>
        rowOf(session, summaryOf(emptyStrand(), session)),
      ),
    async window(input: {
      strand: StrandId;
      before?: number | undefined;
      turns: number;
    }): Promise<StrandWindow> {
      const opened = await must(input.strand);
      const summary = summaryOfSession(opened);
      const { tip } = stateOf(opened);
      if (tip === null) throw new BridgeError('unreadable', 'This session holds no record that can be read.');
      const end = Math.min(input.before ?? opened.records.length, opened.records.length);
      const start = startOfWindow(opened.records, end, input.turns);
      const items = opened.records.slice(start, end).map((record, index) => itemOf(record, start + index));
      return { items, before: start === 0 ? null : start, cursor: endCursor(opened.records), tip, summary };
    },
    async *follow(
      input: { readonly strand: StrandId; readonly after: string | null },
      signal: AbortSignal,
    ): AsyncGenerator<FollowedEvent> {
      const first = await must(input.strand);
      const place = placeOf(first.records, input.after ?? endCursor(first.records));
      if (place === null) yield resync('the file is not the one of the cursor');
      else yield* followFrom(deps, { id: input.strand, first, place }, signal);
    },
  };
};

const followFrom = async function* (
  deps: OpenHistoryDeps,
  { id, first, place }: { readonly id: StrandId; readonly first: OpenedSession; readonly place: number },
  signal: AbortSignal,
): AsyncGenerator<FollowedEvent> {
  yield* recordsFrom(first.records, place);
  yield { cursor: null, event: { type: 'caught_up' } };
  for (let sent = first.records.length; ; ) {
    await deps.pause(signal);
    if (signal.aborted) return;
    const opened = await deps.history.open(id);
    if (opened === null || opened.generation !== first.generation) {
      yield resync(opened === null ? 'the file is gone' : 'the file was rewritten');
      return;
    }
    yield* recordsFrom(opened.records, sent);
    sent = opened.records.length;
  }
};

const recordsFrom = function* (records: readonly StrandRecord[], from: number): Generator<FollowedEvent> {
  for (const [index, record] of records.slice(from).entries())
    yield {
      cursor: `${from + index + 1}:${record.id}`,
      event: { type: 'record', item: itemOf(record, from + index) },
    };
};

const resync = (reason: string): FollowedEvent => ({ cursor: null, event: { type: 'resync', reason } });

const itemOf = (record: StrandRecord, index: number): WindowItem => ({
  kind: 'record',
  seq: index + 1,
  record,
});

const endCursor = (records: readonly StrandRecord[]): string =>
  `${records.length}:${records.at(-1)?.id ?? '-'}`;

/** How many records a reader with this cursor has seen; null when it names none of these. */
const placeOf = (records: readonly StrandRecord[], cursor: string): number | null => {
  const [digits = '', id = ''] = cursor.split(':');
  const seq = Number(digits);
  if (seq === 0) return 0;
  return records[seq - 1]?.id === (id as RecordId) ? seq : null;
};

const startOfWindow = (records: readonly StrandRecord[], end: number, turns: number): number => {
  let [start, prompts, characters] = [end, 0, 0];
  while (start > 0 && prompts < turns && end - start < MAX_RECORDS && characters < MAX_CHARACTERS) {
    start -= 1;
    const record = records[start];
    if (record === undefined) break;
    if (isPrompt(record)) prompts += 1;
    characters += JSON.stringify(record).length;
  }
  // The header belongs to the first turn.
  return start === 1 ? 0 : start;
};

const stateOf = ({ records }: OpenedSession): StrandState =>
  replay(records.map((record, index) => ({ seq: index + 1, decoded: { kind: 'ok', record } })));

/** A row like that of a strand, which nothing can be sent to. */
const summaryOfSession = (opened: OpenedSession): StrandSummary => {
  const { session } = opened;
  return rowOf(session, summaryOf(stateOf(opened), { id: session.id }));
};

const rowOf = (session: ForeignSession, folded: StrandSummary): StrandSummary => ({
  ...folded,
  title: session.title,
  cwd: session.cwd ?? '',
  agent: session.agent,
  model: session.model,
  cost: session.cost ?? 0,
  createdAt: session.startedAt ?? session.updatedAt,
  updatedAt: session.updatedAt,
  state: 'idle',
  bad: session.problems,
  readOnly: `A session of ${session.agent}: it is only read here. Continue it as a new session to go on.`,
});

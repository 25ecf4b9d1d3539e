/** One session in memory, record by record, read on when its file grew. */
import type { AnyReader, Emitted, ForeignAgent } from '@skein/core/import/reader';
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandRecord } from '@skein/core/record/schema';
import { createFactsFold } from './facts.ts';
import { type Checkpoint, endOf, type ReadBatch, type ReadOptions, startReading } from './read-session.ts';
import type { HistoryProblem, OpenedSession } from './types.ts';

/** Characters of JSON that one opened session may hold. */
const MAX_CHARACTERS = 256 * 1024 * 1024;
const MAX_PROBLEMS = 100;
const MAX_OTHERS = 10_000;

export interface SessionView {
  /** Null when the file is gone or holds no session. Faults: `limit` (too much to be held), `io`. */
  refresh(): Promise<OpenedSession | null>;
}

export const createSessionView = (
  reader: AnyReader,
  file: { readonly path: string; readonly agent: ForeignAgent },
  options: ReadOptions = {},
): SessionView => {
  let fold = emptyFold();
  let checkpoint: Checkpoint | null = null;
  let shown: readonly StrandRecord[] = [];
  let generation = 0;

  const refresh = async (): Promise<OpenedSession | null> => {
    const start = await startReading(reader, file.path, { ...options, from: checkpoint });
    if (start.kind === 'gone') return null;
    if (start.fresh) fold = emptyFold();
    // A look that fails half way leaves a state that fits no offset: the next one starts over.
    checkpoint = null;
    let last: ReadBatch | null = null;
    for await (const batch of start.batches) {
      fold.add(batch.emitted);
      last = batch;
    }
    if (last === null) return null;
    checkpoint = last.checkpoint;
    // Laid over what is certain, and taken off with the next look.
    const end = endOf(reader, last);
    const records = overlay(fold.records, end);
    if (!startsWith(records, shown)) generation += 1;
    shown = records;
    const facts = createFactsFold();
    facts.add(fold.others);
    facts.add(records.map((record) => ({ kind: 'record', record, line: 1 })));
    facts.add(end.filter((one) => one.kind !== 'record'));
    const session = facts.row({
      path: options.origin ?? file.path,
      agent: file.agent,
      key: last.checkpoint.key,
    });
    const problems = fold.problems();
    return session === null
      ? null
      : { session: { ...session, problems: fold.bad() }, records, generation, problems };
  };

  // One after the other: two looks at once would read the same bytes twice into one state.
  let tail: Promise<unknown> = Promise.resolve();
  return {
    refresh() {
      const mine = tail.then(refresh);
      tail = mine.then(nothing, nothing);
      return mine;
    },
  };
};

const nothing = (): undefined => undefined;

const emptyFold = () => {
  const records: StrandRecord[] = [];
  const places = new Map<string, number>();
  const others: Emitted[] = [];
  const told: HistoryProblem[] = [];
  let [characters, bad] = [0, 0];
  const put = (record: StrandRecord): void => {
    characters += JSON.stringify(record).length;
    if (characters > MAX_CHARACTERS)
      throw new BridgeError('limit', 'This session is too long to be opened here.', {
        data: { limit: MAX_CHARACTERS },
      });
    const place = places.get(record.id);
    if (place === undefined) places.set(record.id, records.push(record) - 1);
    else records[place] = record;
  };
  const tell = ({ line, reason }: HistoryProblem): void => {
    bad += 1;
    if (told.length < MAX_PROBLEMS) told.push({ line, reason });
  };
  return {
    records,
    others,
    problems: () => told,
    bad: () => bad,
    add(emitted: readonly Emitted[]): void {
      for (const one of emitted) {
        if (one.kind === 'record') put(one.record);
        else if (one.kind === 'bad') tell(one);
        else if (one.kind === 'facts' || others.length < MAX_OTHERS) others.push(one);
      }
    },
  };
};

const overlay = (base: readonly StrandRecord[], end: readonly Emitted[]): readonly StrandRecord[] => {
  const records = [...base];
  const places = new Map(records.map((record, place) => [record.id, place]));
  for (const one of end) {
    if (one.kind !== 'record') continue;
    const place = places.get(one.record.id);
    if (place === undefined) places.set(one.record.id, records.push(one.record) - 1);
    else records[place] = one.record;
  }
  return records;
};

/** Records that were not touched are the very same objects. */
const startsWith = (records: readonly StrandRecord[], start: readonly StrandRecord[]): boolean =>
  start.every((record, place) => {
    const now = records[place];
    return now === record || (now !== undefined && JSON.stringify(now) === JSON.stringify(record));
  });

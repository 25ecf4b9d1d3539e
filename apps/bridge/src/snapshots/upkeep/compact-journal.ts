/**
 * A journal without the lines of turns and restores that are given up. What stays keeps its bytes; what went is named by
 * `expired` lines in front. Pure.
 */

import type { RecordId } from '@skein/core/record/ids';
import { encodeJsonLine } from '@skein/core/record/json-line';
import type { ExpiredEntry, JournalEntry } from '@skein/core/restore/journal-entry';
import type { ExpiryReason } from '@skein/core/restore/retention';
import { type RawLine, rawLines } from '../journal-lines.ts';

export interface Compaction {
  /** Turns and operations. */
  readonly ids: ReadonlySet<string>;
  /** Nothing of the session stays, so damaged lines are of no use any more. */
  readonly everything: boolean;
  readonly reason: ExpiryReason;
  readonly days: number | null;
  readonly envelope: { readonly id: RecordId; readonly at: string };
}

export const compactJournal = (bytes: Uint8Array, compaction: Compaction): Uint8Array => {
  const gone: JournalEntry[] = [];
  const tombs: ExpiredEntry[] = [];
  const kept: Uint8Array[] = [];
  const lines = rawLines(bytes);
  for (const [index, line] of lines.entries()) {
    const { is } = line;
    if (isGivenUp(line, compaction)) {
      if (typeof is === 'object') gone.push(is);
    } else if (typeof is === 'object' && is.kind === 'expired') tombs.push(is);
    else {
      // What a crash left torn stays torn; a whole line that lost only its line end gets it back.
      const isTorn = is === 'bad' && index === lines.length - 1 && bytes.at(-1) !== 0x0a;
      kept.push(isTorn ? line.bytes : ended(line.bytes));
    }
  }
  return Buffer.concat([...tombLines(tombs, gone, compaction), ...kept]);
};

const isGivenUp = ({ is }: RawLine, { ids, everything }: Compaction): boolean => {
  if (is === 'bad') return everything;
  if (is === 'other' || is.kind === 'expired') return false;
  return ids.has(is.kind === 'mutation' ? is.turn : is.op);
};

const ended = (line: Uint8Array): Uint8Array => Buffer.concat([line, Buffer.from('\n')]);

/** One line for each reason, so that their number does not grow with the years. */
function tombLines(
  tombs: readonly ExpiredEntry[],
  gone: readonly JournalEntry[],
  { reason, days, envelope }: Compaction,
): readonly Uint8Array[] {
  const turns = gone.flatMap((entry) => (entry.kind === 'mutation' ? [entry.turn] : []));
  const ops = gone.flatMap((entry) =>
    entry.kind === 'intent' || entry.kind === 'settled' ? [entry.op] : [],
  );
  const all: readonly ExpiredEntry[] = [...tombs, { ...envelope, kind: 'expired', turns, ops, reason, days }];
  const joined = new Map<string, ExpiredEntry>();
  for (const tomb of all) {
    const key = `${tomb.reason} ${tomb.days}`;
    const known = joined.get(key);
    joined.set(key, {
      ...tomb,
      turns: [...new Set([...(known?.turns ?? []), ...tomb.turns])],
      ops: [...new Set([...(known?.ops ?? []), ...tomb.ops])],
    });
  }
  const told = [...joined.values()].filter((tomb) => tomb.turns.length + tomb.ops.length > 0);
  return told.map((tomb) => encodeJsonLine(tomb));
}

/**
 * The text of a journal, line by line. A line that a crash left torn was never acknowledged and the write it stands
 * for never began: it counts for nothing. Any other bad line takes undo from the turn it belongs to, and from that only.
 */

import { decodeJsonLine, encodeJsonLine, type JsonObject } from '@skein/core/record/json-line';
import { type JournalEntry, journalEntrySchema } from '@skein/core/restore/journal-entry';
import { z } from 'zod';

interface BadLine {
  /** 1-based. */
  readonly line: number;
  readonly reason: string;
  /** Turns and operations whose history may be incomplete. */
  readonly touches: ReadonlySet<string>;
}

export interface JournalText {
  readonly entries: readonly JournalEntry[];
  readonly bad: readonly BadLine[];
}

/** Written after a torn tail, so that it is told apart from damage. */
const sealedSchema = z.object({ kind: z.literal('sealed'), bytes: z.number().int().positive() });

type Line =
  | { readonly kind: 'entry'; readonly entry: JournalEntry }
  | { readonly kind: 'sealed' }
  | { readonly kind: 'bad'; readonly bytes: Uint8Array; readonly reason: string; readonly torn: boolean };

export const parseJournal = (bytes: Uint8Array): JournalText => {
  const lines = splitLines(bytes).map(readLine);
  if (bytes.length > 0 && bytes.at(-1) !== 0x0a && lines.at(-1)?.kind === 'bad') lines.pop();
  const entries: JournalEntry[] = [];
  const bad: BadLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'entry') entries.push(line.entry);
    if (line.kind !== 'bad' || (line.torn && lines[index + 1]?.kind === 'sealed')) continue;
    bad.push({ line: index + 1, reason: line.reason, touches: touchedBy(lines, index) });
  }
  return { entries, bad };
};

export interface RawLine {
  /** Without the `\n`. */
  readonly bytes: Uint8Array;
  /** `other`: sealed, or written by a newer Skein; `bad`: nobody can say any more what it was. */
  readonly is: JournalEntry | 'other' | 'bad';
}

/** Every line as it lies in the file, for an upkeep that leaves some of them out. */
export const rawLines = (bytes: Uint8Array): readonly RawLine[] =>
  splitLines(bytes).map((line) => {
    const read = readLine(line);
    if (read.kind === 'entry') return { bytes: line, is: read.entry };
    return { bytes: line, is: decodeJsonLine(line).kind === 'ok' ? 'other' : 'bad' };
  });

/** What must be written between a tail without `\n` and the next line. */
export const sealTail = (
  tail: Uint8Array,
  envelope: { readonly id: string; readonly at: string },
): Uint8Array => {
  if (tail.length === 0) return tail;
  const newline = Buffer.from('\n');
  if (decodeJsonLine(tail).kind === 'ok') return newline;
  return Buffer.concat([newline, encodeJsonLine({ ...envelope, kind: 'sealed', bytes: tail.length })]);
};

function splitLines(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

function readLine(bytes: Uint8Array): Line {
  const decoded = decodeJsonLine(bytes);
  if (decoded.kind !== 'ok') {
    return { kind: 'bad', bytes, reason: decoded.reason, torn: decoded.kind === 'torn' };
  }
  if (sealedSchema.safeParse(decoded.value).success) return { kind: 'sealed' };
  const entry = journalEntrySchema.safeParse(decoded.value);
  if (entry.success) return { kind: 'entry', entry: entry.data };
  return { kind: 'bad', bytes, reason: describe(decoded.value), torn: false };
}

function describe(value: JsonObject): string {
  const known = journalEntrySchema.options.some(({ shape }) => shape.kind.value === value['kind']);
  return known ? 'it does not fit its kind' : 'it was written by a newer Skein';
}

/** Ids that can still be read in the line, else those of the lines around it. */
function touchedBy(lines: readonly Line[], index: number): ReadonlySet<string> {
  const line = lines[index];
  const own = line?.kind === 'bad' ? idsIn(Buffer.from(line.bytes).toString('latin1')) : [];
  if (own.length > 0) return new Set(own);
  const before = lines.slice(0, index).findLast((item) => item.kind === 'entry');
  const after = lines.slice(index + 1).find((item) => item.kind === 'entry');
  return new Set([before, after].flatMap((item) => (item?.kind === 'entry' ? idsOf(item.entry) : [])));
}

function idsIn(text: string): string[] {
  const turn = /"turn":"([0-9a-z]{12})"/.exec(text)?.[1];
  if (turn !== undefined) return [turn];
  const op = /"op":"([0-9a-z]{12})"/.exec(text)?.[1];
  return op === undefined ? [] : [op];
}

function idsOf(entry: JournalEntry): string[] {
  switch (entry.kind) {
    case 'mutation':
      return [entry.turn];
    case 'intent':
    case 'settled':
      return [entry.op];
    case 'expired':
      return [...entry.turns, ...entry.ops];
  }
}

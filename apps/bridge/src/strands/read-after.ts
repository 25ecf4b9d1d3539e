/** The lines behind a cursor: what a page has missed. */
import type { WindowItem } from '@skein/core/protocol/strands';
import type { DecodedLine } from '@skein/core/record/line';
import { windowItemOf } from '@skein/core/strand/window-item';
import { readLines } from '../platform/line-reader.ts';
import { readLinesBackwards } from '../platform/line-reader-back.ts';
import { decodeFileLine, MAX_RECORD_BYTES } from './fold-file.ts';
import type { IndexedFile, LineIndex } from './line-index.ts';
import type { ReadItem } from './types.ts';
import { cursorAt, endOfLines } from './window.ts';

export type LinesAfter =
  | {
      readonly kind: 'lines';
      readonly items: readonly WindowItem[];
      readonly cursor: string;
      readonly more: boolean;
    }
  | { readonly kind: 'resync'; readonly reason: string };

const CURSOR = /^(\d{1,15}):([0-9a-z]{12}|-)$/;
const MAX_ITEMS = 500;
const MAX_BYTES = 4 * 1024 * 1024;

/** `0:-` is the start of the file. A cursor that names no line of this file gets `resync`. Fault `io`. */
export const readLinesAfter = async (
  file: IndexedFile,
  cursor: string,
  index: LineIndex,
): Promise<LinesAfter> => {
  const [, digits, id] = CURSOR.exec(cursor) ?? [];
  if (digits === undefined || id === undefined)
    return { kind: 'resync', reason: 'the cursor is not one of ours' };
  const seq = Number(digits);
  const last = await endOfLines(file);
  const lines = last === null ? 0 : await index.linesBefore(file, last.offset);
  if (seq > lines) return { kind: 'resync', reason: 'the file is shorter than the cursor says' };
  const end = last?.offset ?? 0;
  const from = seq === 0 ? 0 : await index.endOfLine(file, seq, { offset: end, lines });
  if (!(await isLine(file.path, from, id)))
    return { kind: 'resync', reason: 'the file is not the one of the cursor' };
  return collect(file, { from, to: end, seq, cursor }, index);
};

/** Every whole line from the start, streaming. Fault `io`. */
export const readItems = async function* (file: IndexedFile): AsyncGenerator<ReadItem> {
  let seq = 0;
  for await (const lines of readLines(file.path, {
    from: 0,
    to: file.size,
    maxLineBytes: MAX_RECORD_BYTES,
  })) {
    for (const line of lines) {
      seq += 1;
      yield { item: windowItemOf({ seq, decoded: decodeFileLine(line) }, line.length), offset: line.offset };
    }
  }
};

/** Whether the line that ends at `end` has the id; a bad line has none, and neither has the start of the file. */
const isLine = async (path: string, end: number, id: string): Promise<boolean> => {
  if (end === 0) return id === '-';
  for await (const line of readLinesBackwards(path, { end, maxLineBytes: MAX_RECORD_BYTES })) {
    return cursorAt(0, decodeFileLine(line)) === `0:${id}`;
  }
  return false;
};

const collect = async (
  file: IndexedFile,
  range: { readonly from: number; readonly to: number; readonly seq: number; readonly cursor: string },
  index: LineIndex,
): Promise<LinesAfter> => {
  const items: WindowItem[] = [];
  let { seq, from: offset, cursor } = range;
  const isFull = (): boolean => items.length >= MAX_ITEMS || offset - range.from >= MAX_BYTES;
  let decoded: DecodedLine | null = null;
  for await (const lines of readLines(file.path, { ...range, maxLineBytes: MAX_RECORD_BYTES })) {
    for (const line of lines) {
      if (isFull()) break;
      decoded = decodeFileLine(line);
      seq += 1;
      offset = line.offset + line.length + 1;
      items.push(windowItemOf({ seq, decoded }, line.length));
    }
    if (isFull()) break;
  }
  if (decoded !== null) cursor = cursorAt(seq, decoded);
  index.note(file, { offset, lines: seq });
  return { kind: 'lines', items, cursor, more: offset < range.to };
};

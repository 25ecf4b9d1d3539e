/** A stretch of a strand, read from its end backwards: opening a session costs the same whatever its size. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { WindowItem } from '@skein/core/protocol/strands';
import type { RecordId } from '@skein/core/record/ids';
import type { DecodedLine } from '@skein/core/record/line';
import { isPrompt } from '@skein/core/strand/prompts';
import { replay, type StrandState } from '@skein/core/strand/replay';
import { windowItemOf } from '@skein/core/strand/window-item';
import type { Line } from '../platform/line-reader.ts';
import { readLinesBackwards } from '../platform/line-reader-back.ts';
import { decodeFileLine, MAX_RECORD_BYTES } from './fold-file.ts';
import type { IndexedFile, LineIndex } from './line-index.ts';

export interface WindowOptions {
  readonly before?: number;
  readonly turns: number;
  readonly maxRecords: number;
  readonly maxBytes: number;
}

export interface StrandStretch {
  readonly items: readonly WindowItem[];
  readonly before: number | null;
  readonly cursor: string;
  readonly tip: RecordId;
}

/** What is known of the file without reading it. */
export interface KnownStrand {
  readonly state: StrandState | null;
  readonly tip: RecordId | null;
}

interface SeenLine {
  readonly line: Line;
  readonly decoded: DecodedLine;
}

/**
 * Faults: `unreadable` (no record at all), `io`. Turns are counted on the current path; in an older stretch of a strand
 * that nobody folded, every prompt counts.
 */
export const readWindow = async (
  file: IndexedFile,
  options: WindowOptions,
  deps: { readonly index: LineIndex; readonly known: KnownStrand },
): Promise<StrandStretch> => {
  const end = await endOfLines(file);
  const tip = deps.known.tip ?? (end === null ? null : await tipFromEnd(file, end.offset));
  if (end === null || tip === null) throw unreadable(file.path);
  const lastSeq = await deps.index.linesBefore(file, end.offset);
  const before = Math.min(options.before ?? end.offset, end.offset);
  const state = deps.known.state;
  const seen = await collect(
    file,
    { ...options, before },
    turnCounter(before === end.offset ? tip : null, state),
  );
  const newest = seen[0]?.line;
  const newestSeq =
    newest === undefined ? 0 : await deps.index.linesBefore(file, newest.offset + newest.length + 1);
  const items = seen.map(({ line, decoded }, i) =>
    windowItemOf({ seq: newestSeq - i, decoded }, line.length),
  );
  const first = seen.at(-1)?.line.offset ?? 0;
  return {
    items: items.reverse(),
    before: first === 0 ? null : first,
    cursor: cursorAt(lastSeq, end.decoded),
    tip,
  };
};

/** `seq:id`, `seq:-` after a line that cannot be read. */
export const cursorAt = (seq: number, decoded: DecodedLine | null): string => {
  if (decoded?.kind === 'ok') return `${seq}:${decoded.record.id}`;
  return decoded?.kind === 'unknown' ? `${seq}:${decoded.id}` : `${seq}:-`;
};

/** The last whole line and the offset behind it. */
export const endOfLines = async (
  file: IndexedFile,
): Promise<{ readonly offset: number; readonly decoded: DecodedLine } | null> => {
  for await (const line of backwards(file.path, file.size)) {
    return { offset: line.offset + line.length + 1, decoded: decodeFileLine(line) };
  }
  return null;
};

const backwards = (path: string, end: number): AsyncGenerator<Line> =>
  readLinesBackwards(path, { end, maxLineBytes: MAX_RECORD_BYTES });

/** The tip is what the last line says that moves it; where that lies does not matter. */
const tipFromEnd = async (file: IndexedFile, end: number): Promise<RecordId | null> => {
  for await (const line of backwards(file.path, end)) {
    const { tip } = replay([{ seq: 2, decoded: decodeFileLine(line) }], { window: true });
    if (tip !== null) return tip;
  }
  return null;
};

const collect = async (
  file: IndexedFile,
  options: Required<WindowOptions>,
  countTurn: (decoded: DecodedLine) => number,
): Promise<readonly SeenLine[]> => {
  const seen: SeenLine[] = [];
  let bytes = 0;
  for await (const line of backwards(file.path, options.before)) {
    const decoded = decodeFileLine(line);
    seen.push({ line, decoded });
    bytes += line.length + 1;
    if (countTurn(decoded) >= options.turns || seen.length >= options.maxRecords || bytes >= options.maxBytes)
      break;
  }
  return seen;
};

/** Counts the prompts met on the way up from `tip`; without one, those on the known path, else every prompt. */
const turnCounter = (tip: RecordId | null, state: StrandState | null): ((decoded: DecodedLine) => number) => {
  let turns = 0;
  let expected = tip;
  const path = tip === null && state !== null ? idsOnPath(state) : null;
  return (decoded) => {
    if (decoded.kind !== 'ok' && decoded.kind !== 'unknown') return turns;
    const { id, parent } = decoded.kind === 'ok' ? decoded.record : decoded;
    const onPath = tip === null ? (path?.has(id) ?? true) : id === expected;
    if (onPath && tip !== null) expected = parent;
    if (onPath && decoded.kind === 'ok' && isPrompt(decoded.record)) turns += 1;
    return turns;
  };
};

const idsOnPath = (state: StrandState): ReadonlySet<RecordId> => {
  const ids = new Set<RecordId>();
  for (let id = state.tip; id !== null && !ids.has(id); id = state.nodes.get(id)?.parent ?? null) ids.add(id);
  return ids;
};

const unreadable = (path: string): BridgeError =>
  new BridgeError('unreadable', 'This session file holds no record that can be read.', { data: { path } });

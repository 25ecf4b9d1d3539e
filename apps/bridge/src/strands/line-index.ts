/**
 * Line numbers by offset. Counting line ends is fast, but a large file should be counted once: marks remember
 * how many lines lie before an offset, and the file only grows behind them.
 */
import { countNewlines } from '../platform/line-reader.ts';
import { readLinesBackwards } from '../platform/line-reader-back.ts';
import type { FileKey } from '../platform/scan-dir.ts';

interface Mark {
  readonly offset: number;
  /** Lines that end at or before it. */
  readonly lines: number;
}

export interface LineIndex {
  /** Number of lines that end at `offset`, which lies behind a line end (or is 0). */
  linesBefore(file: IndexedFile, offset: number): Promise<number>;
  /** Offset behind line `seq`. `last` is the end of the last line and its number. */
  endOfLine(file: IndexedFile, seq: number, last: Mark): Promise<number>;
  /** Something that is known anyway. */
  note(file: IndexedFile, mark: Mark): void;
}

export interface IndexedFile extends FileKey {
  readonly path: string;
}

const MAX_FILES = 256;
const MAX_MARKS = 32;

export const createLineIndex = (): LineIndex => {
  const known = new Map<string, { readonly ino: number; readonly marks: readonly Mark[] }>();

  const marksOf = ({ path, ino, size }: IndexedFile): readonly Mark[] => {
    const entry = known.get(path);
    const marks = entry?.ino === ino ? entry.marks.filter(({ offset }) => offset <= size) : [];
    return [{ offset: 0, lines: 0 }, ...marks];
  };
  const note = (file: IndexedFile, mark: Mark): void => {
    const others = marksOf(file).filter(({ offset }) => offset !== mark.offset && offset > 0);
    known.delete(file.path);
    known.set(file.path, { ino: file.ino, marks: [...others, mark].slice(-MAX_MARKS) });
    const oldest = known.size > MAX_FILES ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
  };
  const linesBefore = async (file: IndexedFile, offset: number): Promise<number> => {
    const near = nearest(marksOf(file), (mark) => mark.offset - offset);
    const between = await countNewlines(
      file.path,
      Math.min(near.offset, offset),
      Math.max(near.offset, offset),
    );
    const lines = near.offset <= offset ? near.lines + between : near.lines - between;
    note(file, { offset, lines });
    return lines;
  };
  const endOfLine = async (file: IndexedFile, seq: number, last: Mark): Promise<number> => {
    const above = [...marksOf(file), last].filter(({ lines }) => lines >= seq);
    const from = nearest(above, ({ lines }) => lines - seq);
    if (from.lines === seq) return from.offset;
    let lines = from.lines;
    // The first line found ends at `from`: one step back is the end of the line before it.
    for await (const line of readLinesBackwards(file.path, { end: from.offset, maxLineBytes: 0 })) {
      lines -= 1;
      if (lines === seq) return line.offset;
    }
    return 0;
  };
  return { linesBefore, endOfLine, note };
};

/** Never called with no marks: 0 and the end of the file are always known. */
const nearest = (marks: readonly Mark[], distance: (mark: Mark) => number): Mark =>
  marks.reduce(
    (best, mark) => (Math.abs(distance(mark)) < Math.abs(distance(best)) ? mark : best),
    marks[0] ?? { offset: 0, lines: 0 },
  );

/** Columns of equal width. The last column is cut to the terminal; the others take what they need. */
import { truncate } from '@skein/core/text/truncate';
import type { Output } from './output.ts';
import { joined, line, type Printable, words } from './printable.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

const GAP = 2;

export const printTable = (
  out: Output,
  columns: readonly Column[],
  rows: readonly (readonly Printable[])[],
): void => {
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => row[index]?.width ?? 0)),
  );
  const head = columns.map(({ title }) => out.style.dim(words(title)));
  for (const row of [head, ...rows]) out.print(rowOf(row, columns, widths));
};

const rowOf = (row: readonly Printable[], columns: readonly Column[], widths: readonly number[]): Printable =>
  joined(
    row.map((cell, index) => {
      const isLast = index === row.length - 1;
      const pad = words(' '.repeat(Math.max(0, (widths[index] ?? 0) - cell.width)));
      if (columns[index]?.align === 'right') return line`${pad}${cell}`;
      return isLast ? cell : line`${cell}${pad}`;
    }),
    ' '.repeat(GAP),
  );

/** Cut to so many characters; an ellipsis says that something is missing. */
export const cut = (text: string, max: number): Printable => words(truncate(text, Math.max(8, max)));

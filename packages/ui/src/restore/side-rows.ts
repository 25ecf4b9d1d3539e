/** The lines of a hunk as rows of two columns. Pure. */
import type { DiffLine } from './hunks.ts';

export interface SideRow {
  readonly old: DiffLine | null;
  readonly new: DiffLine | null;
}

/** Removed lines stand beside the added ones that follow them; the shorter side is filled up. */
export const sideRows = (lines: readonly DiffLine[]): readonly SideRow[] => {
  const rows: SideRow[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      rows.push({ old: removed[index] ?? null, new: added[index] ?? null });
    }
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'same') {
      flush();
      rows.push({ old: line, new: line });
    } else if (line.kind === 'del') {
      if (added.length > 0) flush();
      removed.push(line);
    } else added.push(line);
  }
  flush();
  return rows;
};

/** What an edit would change, for a person who is asked about it: a short diff. */
import { structuredPatch } from 'diff';
import type { Output } from './output.ts';
import { line, type Printable } from './printable.ts';
import { cut } from './table.ts';

const CONTEXT = 2;
const MAX_LINES = 40;

/** Empty when the texts are not known: binary or too long. */
export const editPreview = (
  edit: { readonly before: string | null; readonly after: string | null },
  out: Output,
): readonly Printable[] => {
  if (edit.before === null && edit.after === null) return [];
  const { hunks } = structuredPatch('', '', edit.before ?? '', edit.after ?? '', '', '', {
    context: CONTEXT,
  });
  const rows = hunks.flatMap(({ lines }, index) => (index === 0 ? lines : ['…', ...lines]));
  const shown = rows.slice(0, MAX_LINES).map((row) => coloured(row, out));
  const missing = rows.length - shown.length;
  return missing === 0 ? shown : [...shown, line`  … ${missing} more lines`];
};

const coloured = (row: string, { noteStyle, columns }: Output): Printable => {
  const text = line`  ${cut(row, columns - 4)}`;
  if (row.startsWith('+')) return noteStyle.green(text);
  return row.startsWith('-') ? noteStyle.red(text) : noteStyle.dim(text);
};

/** Files that a turn changed, as far as another tool's records tell. */
import type { FileChange } from '../record/schema.ts';
import type { Chain } from './chain.ts';

export interface ToldChange {
  /** As the tool wrote it, absolute or not. */
  readonly path: string;
  readonly status: FileChange['status'];
  readonly added: number | null;
  readonly removed: number | null;
}

/** Two changes of one file are added up. */
export const addChange = (chain: Chain, { path, status, added, removed }: ToldChange): void => {
  if (chain.turn === null || path === '') return;
  const shown = relativeTo(chain.header?.cwd ?? '', path);
  const before = chain.turn.files.get(shown);
  chain.turn.files.set(shown, {
    path: shown,
    status: before?.status === 'added' && status === 'modified' ? 'added' : status,
    added: before === undefined ? added : sum(before.added, added),
    removed: before === undefined ? removed : sum(before.removed, removed),
    by: 'gate',
  });
};

const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

/** Relative to the session's folder where it lies in it, else as it was written; `/` between names. */
const relativeTo = (cwd: string, path: string): string => {
  const [base, full] = [slashed(cwd), slashed(path)];
  return base !== '' && full.startsWith(`${base}/`) ? full.slice(base.length + 1) : full;
};

/** Only a path that is a Windows one has its backslashes turned. */
const slashed = (path: string): string =>
  (/^([A-Za-z]:)?\\/.test(path) ? path.replaceAll('\\', '/') : path).replace(/\/+$/, '');

/** Added and removed lines of a text in the form of a unified diff. */
export const countDiffLines = (lines: Iterable<string>): { added: number; removed: number } => {
  let added = 0;
  let removed = 0;
  for (const line of lines) {
    if (line.startsWith('+')) added += 1;
    else if (line.startsWith('-')) removed += 1;
  }
  return { added, removed };
};

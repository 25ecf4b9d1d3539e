/** The rows of the sidebar: folders with their sessions, newest first, as one flat list. */
import type { StrandSummary } from '@skein/core/protocol/strands';

export type StrandListRow =
  | {
      readonly kind: 'folder';
      readonly cwd: string;
      readonly label: string;
      readonly count: number;
      readonly open: boolean;
    }
  | { readonly kind: 'strand'; readonly summary: StrandSummary };

/** Pinned sessions come first in their folder, folders by their newest session. */
export const strandRows = (
  summaries: readonly StrandSummary[],
  closed: ReadonlySet<string>,
  labelOf: (cwd: string) => string = shortFolder,
): readonly StrandListRow[] => {
  const folders = Map.groupBy(summaries, ({ cwd }) => cwd);
  const sorted = [...folders].map(([cwd, list]) => ({ cwd, list: list.toSorted(compare) }));
  sorted.sort((a, b) => (newest(a.list) < newest(b.list) ? 1 : -1));
  return sorted.flatMap(({ cwd, list }): StrandListRow[] => {
    const open = !closed.has(cwd);
    const folder = { kind: 'folder' as const, cwd, label: labelOf(cwd), count: list.length, open };
    return open ? [folder, ...list.map((summary) => ({ kind: 'strand' as const, summary }))] : [folder];
  });
};

/** The last two names of a path: what people call their project. */
export const shortFolder = (cwd: string): string => {
  const names = cwd.split(/[/\\]/).filter((name) => name !== '');
  return names.slice(-2).join('/') || cwd;
};

function compare(a: StrandSummary, b: StrandSummary): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  if (a.updatedAt === b.updatedAt) return 0;
  return a.updatedAt < b.updatedAt ? 1 : -1;
}

function newest(list: readonly StrandSummary[]): string {
  return (
    list
      .map(({ updatedAt }) => updatedAt)
      .toSorted()
      .at(-1) ?? ''
  );
}

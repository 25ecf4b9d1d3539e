/** Which sessions the list shows, and in what order. Pure; the list itself only draws. */
import type { StrandSummary } from '@skein/core/protocol/strands';

export type StateFilter = 'any' | 'waiting' | 'running' | 'failed' | 'changed';

export interface StrandFilter {
  readonly text: string;
  readonly agent: string | null;
  readonly folder: string | null;
  readonly state: StateFilter;
  readonly archived: boolean;
}

export const NO_FILTER: StrandFilter = { text: '', agent: null, folder: null, state: 'any', archived: false };

export function isFiltering(filter: StrandFilter): boolean {
  return (
    filter.text !== '' ||
    filter.agent !== null ||
    filter.folder !== null ||
    filter.state !== 'any' ||
    filter.archived
  );
}

/** Pinned first, then newest first. */
export function filterStrands(
  strands: Iterable<StrandSummary>,
  filter: StrandFilter,
): readonly StrandSummary[] {
  const words = filter.text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const found: StrandSummary[] = [];
  for (const summary of strands) if (fits(summary, filter, words)) found.push(summary);
  return found.sort(byPinnedAndNewest);
}

function fits(summary: StrandSummary, filter: StrandFilter, words: readonly string[]): boolean {
  if (summary.archived !== filter.archived) return false;
  if (filter.agent !== null && summary.agent !== filter.agent) return false;
  if (filter.folder !== null && summary.cwd !== filter.folder) return false;
  if (!fitsState(summary, filter.state)) return false;
  if (words.length === 0) return true;
  const text = `${summary.name ?? ''} ${summary.title} ${summary.cwd} ${summary.id}`.toLocaleLowerCase();
  return words.every((word) => text.includes(word));
}

function fitsState(summary: StrandSummary, wanted: StateFilter): boolean {
  switch (wanted) {
    case 'any':
      return true;
    case 'changed':
      return summary.changed;
    case 'failed':
      return summary.state === 'failed' || summary.state === 'interrupted' || summary.state === 'unreadable';
    case 'running':
    case 'waiting':
      return summary.state === wanted;
  }
}

function byPinnedAndNewest(a: StrandSummary, b: StrandSummary): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1;
  if (a.updatedAt !== b.updatedAt) return a.updatedAt < b.updatedAt ? 1 : -1;
  return a.id < b.id ? -1 : 1;
}

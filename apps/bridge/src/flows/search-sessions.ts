/**
 * Words in every session, our own and those of other agents. What is new is indexed when somebody searches: without a
 * bridge a search waits for that, with one it answers at once and says how far the index is.
 */
import type { SearchOutput, searchInputSchema } from '@skein/core/protocol/search';
import type { z } from 'zod';
import type { IndexClient } from '../index/client.ts';
import type { IndexedFile, SyncProgress } from '../index/ports.ts';

export interface SearchSessionsDeps {
  readonly index: Pick<IndexClient, 'sync' | 'find'>;
  readonly files: () => Promise<readonly IndexedFile[]>;
  /** Longest wait for what is new, in milliseconds. */
  readonly waitMs: number;
  readonly pause: (ms: number) => Promise<void>;
  readonly notice: (text: string) => void;
}

export const createSearchSessions = (deps: SearchSessionsDeps) => {
  let progress: SyncProgress | null = null;
  let syncing: Promise<void> | null = null;

  const sync = async (): Promise<void> => {
    try {
      const files = await deps.files();
      const { notices } = await deps.index.sync(files, (told) => {
        progress = told;
      });
      for (const notice of notices) deps.notice(notice);
    } finally {
      progress = null;
      syncing = null;
    }
  };
  return async (input: z.output<typeof searchInputSchema>): Promise<SearchOutput> => {
    syncing ??= sync();
    const current = syncing;
    await Promise.race([current, deps.pause(deps.waitMs)]);
    // What failed is told to whoever searches, not lost with the race.
    current.catch((error: unknown) => deps.notice(String(error)));
    const found = await deps.index.find(input.query, input.limit);
    return { ...found, indexing: syncing === null ? null : (progress ?? { done: 0, total: 0 }) };
  };
};

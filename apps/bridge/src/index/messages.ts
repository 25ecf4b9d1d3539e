/** What the bridge and the thread of the index say to each other. */
import type { SearchOutput } from '@skein/core/protocol/search';
import type { IndexedFile, SyncProgress, SyncReport } from './ports.ts';

export type Asked =
  | { readonly kind: 'sync'; readonly files: readonly IndexedFile[] }
  | { readonly kind: 'find'; readonly query: string; readonly limit: number; readonly nowMs: number };

export interface Request {
  readonly id: number;
  readonly asked: Asked;
}

export type Told =
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly value: SyncReport | Omit<SearchOutput, 'indexing'>;
    }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'progress'; readonly progress: SyncProgress }
  | { readonly kind: 'notice'; readonly text: string };

/** When each session was last looked at here, for the dot on a tab that has news. */
import type { StrandId } from '@skein/core/record/ids';
import { type LocalStore, readJson } from './local.ts';
import { createStore, type Readable } from './store.ts';

export interface SeenStore extends Readable<Readonly<Record<string, string>>> {
  /** `at`: `updatedAt` of what is on the screen. */
  readonly mark: (strand: StrandId, at: string) => void;
}

const MAX = 300;

export function createSeenStore(local: LocalStore): SeenStore {
  const saved = readJson(local, 'seen');
  const initial = typeof saved === 'object' && saved !== null ? (saved as Record<string, string>) : {};
  const store = createStore<Readonly<Record<string, string>>>(initial);
  return {
    get: store.get,
    subscribe: store.subscribe,
    mark: (strand, at) => {
      const seen = store.get();
      if ((seen[strand] ?? '') >= at) return;
      const newest = Object.entries({ ...seen, [strand]: at })
        .sort(([, a], [, b]) => (a < b ? 1 : -1))
        .slice(0, MAX);
      store.set(Object.fromEntries(newest));
      local.write('seen', JSON.stringify(store.get()));
    },
  };
}

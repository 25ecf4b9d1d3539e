/** Folders of the list that are closed, as this browser remembers them. */
import { type LocalStore, readJson } from './local.ts';
import { createStore, type Readable } from './store.ts';

export interface ClosedFolders extends Readable<ReadonlySet<string>> {
  readonly toggle: (cwd: string) => void;
}

export function createClosedFolders(local: LocalStore): ClosedFolders {
  const saved = readJson(local, 'closedFolders');
  const names = Array.isArray(saved) ? saved.filter((name): name is string => typeof name === 'string') : [];
  const store = createStore<ReadonlySet<string>>(new Set(names));
  return {
    get: store.get,
    subscribe: store.subscribe,
    toggle: (cwd) => {
      const next = new Set(store.get());
      if (!next.delete(cwd)) next.add(cwd);
      store.set(next);
      local.write('closedFolders', JSON.stringify([...next]));
    },
  };
}

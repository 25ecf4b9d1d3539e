/** Dark, light, or as the system has it. `early.js` sets it before the first paint. */
import type { LocalStore } from './local.ts';
import { createStore, type Readable } from './store.ts';

export type Theme = 'system' | 'dark' | 'light';

export interface ThemeStore extends Readable<Theme> {
  readonly choose: (theme: Theme) => void;
}

export function createThemeStore(local: LocalStore, root: HTMLElement): ThemeStore {
  const saved = local.read('theme');
  const store = createStore<Theme>(saved === 'dark' || saved === 'light' ? saved : 'system');
  return {
    get: store.get,
    subscribe: store.subscribe,
    choose: (theme) => {
      store.set(theme);
      local.write('theme', theme === 'system' ? null : theme);
      if (theme === 'system') delete root.dataset['theme'];
      else root.dataset['theme'] = theme;
    },
  };
}

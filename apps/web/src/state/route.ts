/** What the address names: a session, a view, or nothing. Ids travel in the query, the key never does. */
import type { StrandId } from '@skein/core/record/ids';
import { createStore, type Readable } from './store.ts';

export type Route =
  | { readonly kind: 'home' }
  | { readonly kind: 'new'; readonly cwd: string | null }
  | { readonly kind: 'session'; readonly strand: StrandId; readonly turn: string | null }
  | { readonly kind: 'history' }
  | { readonly kind: 'search' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'doctor' }
  /** An id that is none. */
  | { readonly kind: 'unknown' };

export function routeOf(search: string): Route {
  const query = new URLSearchParams(search);
  const strand = query.get('s');
  if (strand !== null) {
    if (!/^[0-9a-f]{12}$/.test(strand)) return { kind: 'unknown' };
    return { kind: 'session', strand: strand as StrandId, turn: query.get('t') };
  }
  switch (query.get('view')) {
    case null:
      return { kind: 'home' };
    case 'new':
      return { kind: 'new', cwd: query.get('in') };
    case 'history':
      return { kind: 'history' };
    case 'search':
      return { kind: 'search' };
    case 'settings':
      return { kind: 'settings' };
    case 'doctor':
      return { kind: 'doctor' };
    default:
      return { kind: 'unknown' };
  }
}

export function addressOf(route: Route): string {
  switch (route.kind) {
    case 'session':
      return route.turn === null ? `/?s=${route.strand}` : `/?s=${route.strand}&t=${route.turn}`;
    case 'new':
      return route.cwd === null ? '/?view=new' : `/?view=new&in=${encodeURIComponent(route.cwd)}`;
    case 'history':
    case 'search':
    case 'settings':
    case 'doctor':
      return `/?view=${route.kind}`;
    case 'home':
    case 'unknown':
      return '/';
  }
}

export interface Router {
  readonly route: Readable<Route>;
  readonly go: (route: Route, how?: 'push' | 'replace') => void;
  readonly stop: () => void;
}

export function createRouter(window: Window): Router {
  const route = createStore<Route>(routeOf(window.location.search));
  const read = () => route.set(routeOf(window.location.search));
  window.addEventListener('popstate', read);
  return {
    route,
    go: (next, how = 'push') => {
      const address = addressOf(next);
      const { pathname, search } = window.location;
      if (address !== `${pathname}${search}`) {
        if (how === 'push') window.history.pushState(null, '', address);
        else window.history.replaceState(null, '', address);
      }
      route.set(next);
    },
    stop: () => window.removeEventListener('popstate', read),
  };
}

/** Whether this browser may talk to the bridge: pairing, the key, and its end. */
import { codeOf, exchangeCode, labelOf } from '../bridge/pairing.ts';
import type { LocalStore } from './local.ts';
import { createStore, type Readable } from './store.ts';

export type Session =
  | { readonly kind: 'starting' }
  | { readonly kind: 'pairing' }
  | { readonly kind: 'unpaired'; readonly why: UnpairedReason; readonly message: string | null }
  | { readonly kind: 'paired'; readonly key: string };

/** `first`: this browser never had a key. */
export type UnpairedReason = 'first' | 'revoked' | 'refused' | 'unreachable';

export interface SessionStore extends Readable<Session> {
  /** A code of the opening link, else the key of an earlier visit. */
  readonly start: (code: string | null) => Promise<void>;
  /** A link or a code that the user pasted. */
  readonly pair: (pasted: string) => Promise<void>;
  /** The bridge refused the key. */
  readonly forget: (key: string) => Promise<void>;
}

export function createSessionStore(local: LocalStore, userAgent: string): SessionStore {
  const store = createStore<Session>({ kind: 'starting' });
  /** A code that came while there was a key; used when that key turns out to be revoked. */
  let spare: string | null = null;
  const exchange = async (code: string) => {
    store.set({ kind: 'pairing' });
    const result = await exchangeCode(code, labelOf(userAgent));
    if (result.kind === 'paired') {
      local.write('key', result.key);
      store.set({ kind: 'paired', key: result.key });
    } else if (result.kind === 'refused') {
      store.set({ kind: 'unpaired', why: 'refused', message: result.message });
    } else {
      const message = 'The bridge does not answer. Start it with "skein up" and try again.';
      store.set({ kind: 'unpaired', why: 'unreachable', message });
    }
  };
  return {
    get: store.get,
    subscribe: store.subscribe,
    start: async (code) => {
      if (store.get().kind === 'paired' || store.get().kind === 'pairing') return;
      const key = local.read('key');
      spare = key === null ? null : code;
      if (key !== null) store.set({ kind: 'paired', key });
      else if (code !== null) await exchange(code);
      else store.set({ kind: 'unpaired', why: 'first', message: null });
    },
    pair: async (pasted) => {
      const code = codeOf(pasted);
      if (code === null) {
        const message = 'That is neither an opening link nor a code.';
        store.set({ kind: 'unpaired', why: 'refused', message });
      } else await exchange(code);
    },
    forget: async (key) => {
      const session = store.get();
      if (session.kind !== 'paired' || session.key !== key) return;
      local.write('key', null);
      const code = spare;
      spare = null;
      store.set({ kind: 'unpaired', why: 'revoked', message: null });
      if (code !== null) await exchange(code);
    },
  };
}

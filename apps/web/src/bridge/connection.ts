/** Whether the bridge can be heard, as the bar at the top shows it. */
import type { TRPCWebSocketClient } from '@trpc/client';
import { createStore, type Readable } from '../state/store.ts';

/** `closed`: tried for so long that it is probably not running; the page goes on trying. */
export type ConnectionStatus = 'connecting' | 'open' | 'reconnecting' | 'closed';

export interface Connection extends Readable<ConnectionStatus> {
  readonly stop: () => void;
}

/** A socket that opens again within this time is not worth a word. */
const GRACE_MS = 400;
const GONE_MS = 15_000;

export function watchConnection(socket: Pick<TRPCWebSocketClient, 'connectionState'>): Connection {
  const store = createStore<ConnectionStatus>('connecting');
  let timers: ReturnType<typeof setTimeout>[] = [];
  const clear = () => {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  };
  const lost = () => {
    if (timers.length > 0 || store.get() === 'closed') return;
    timers = [
      setTimeout(() => store.set('reconnecting'), GRACE_MS),
      setTimeout(() => store.set('closed'), GONE_MS),
    ];
  };
  const watch = socket.connectionState.subscribe({
    next: ({ state, error }) => {
      if (state === 'pending') {
        clear();
        store.set('open');
      } else if (error !== null || store.get() === 'open') lost();
    },
  });
  return {
    get: store.get,
    subscribe: store.subscribe,
    stop: () => {
      clear();
      watch.unsubscribe();
    },
  };
}

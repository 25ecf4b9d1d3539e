/** Whether the bridge can be heard, as the bar at the top shows it. */
import type { TRPCWebSocketClient } from '@trpc/client';
import { createStore, type Readable } from '../state/store.ts';

export type ConnectionStatus = 'connecting' | 'open' | 'reconnecting';

export interface Connection extends Readable<ConnectionStatus> {
  readonly stop: () => void;
}

/** A socket that opens again within this time is not worth a word. */
const GRACE_MS = 400;

export function watchConnection(socket: Pick<TRPCWebSocketClient, 'connectionState'>): Connection {
  const store = createStore<ConnectionStatus>('connecting');
  let wasOpen = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = socket.connectionState.subscribe({
    next: ({ state }) => {
      clearTimeout(timer);
      if (state === 'pending') {
        wasOpen = true;
        store.set('open');
      } else if (state === 'connecting') {
        timer = setTimeout(() => store.set(wasOpen ? 'reconnecting' : 'connecting'), wasOpen ? GRACE_MS : 0);
      }
    },
  });
  return {
    get: store.get,
    subscribe: store.subscribe,
    stop: () => {
      clearTimeout(timer);
      watch.unsubscribe();
    },
  };
}

/**
 * The two ways to the API: a running bridge over HTTP and WebSocket, or the router in this very process. The
 * token travels in a header or in the first socket message, never in an address.
 */

import { PROTOCOL_VERSION } from '@skein/core/protocol/version';
import {
  createTRPCClient,
  createWSClient,
  httpLink,
  retryLink,
  splitLink,
  unstable_localLink,
  wsLink,
} from '@trpc/client';
import type { AppRouter } from '../api/router.ts';
import type { ApiContext } from '../api/trpc.ts';
import type { Connection } from './deps.ts';

const API_PATH = '/trpc';
const SOCKET_PATH = '/trpc-ws';
const RECONNECTS = 50;

/** Opens no socket before the first subscription. `url` is the bridge's origin. */
export const remoteClient = ({
  url,
  token,
}: {
  readonly url: string;
  readonly token: string;
}): Connection => {
  const socket = createWSClient({
    url: `${url.replace(/^http/, 'ws')}${SOCKET_PATH}`,
    connectionParams: { token, protocol: String(PROTOCOL_VERSION) },
    lazy: { enabled: true, closeMs: 0 },
    keepAlive: { enabled: true, intervalMs: 10_000, pongTimeoutMs: 5_000 },
    retryDelayMs: (attempt) => Math.min(100 * 2 ** attempt, 3_000),
  });
  const client = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        // A subscription whose server side failed goes on after the last durable record it saw.
        true: [
          retryLink({
            retry: ({ attempts, error }) => attempts < RECONNECTS && error.data === undefined,
            retryDelayMs: (attempt) => Math.min(100 * 2 ** attempt, 3_000),
          }),
          wsLink({ client: socket }),
        ],
        false: httpLink({
          url: `${url}${API_PATH}`,
          headers: { authorization: `Bearer ${token}`, 'x-skein-protocol': String(PROTOCOL_VERSION) },
        }),
      }),
    ],
  });
  return { client, close: () => socket.close() };
};

/** Calls procedures directly; nothing listens. `close` is the caller's: it owns what is behind the context. */
export const localClient = (router: AppRouter, context: ApiContext): Connection['client'] =>
  createTRPCClient<AppRouter>({
    links: [unstable_localLink({ router, createContext: async () => context })],
  });

/**
 * The way to the bridge: subscriptions over one WebSocket, everything else as single HTTP calls, so that a
 * slow answer holds up no other and a lost socket loses no mutation. Always the origin of the page; the key
 * travels in a header or in the first socket message, never in an address.
 */
import type { AppRouter } from '@skein/bridge/router';
import { QueryClient } from '@tanstack/react-query';
import {
  createTRPCClient,
  createWSClient,
  httpLink,
  retryLink,
  splitLink,
  type TRPCClient,
  wsLink,
} from '@trpc/client';
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { type Connection, watchConnection } from './connection.ts';
import { problemOf } from './problem.ts';

export type Api = TRPCClient<AppRouter>;

export interface Bridge {
  readonly api: Api;
  /** Options for `useQuery` and `useMutation`. */
  readonly trpc: TRPCOptionsProxy<AppRouter>;
  readonly queries: QueryClient;
  readonly connection: Connection;
  readonly close: () => void;
}

export interface BridgeOptions {
  readonly key: string;
  /** The key was refused: it is revoked. May be called more than once. */
  readonly onUnauthorized: () => void;
}

/** Worth another try by itself; what the bridge says on purpose is final. */
const PASSING = new Set(['offline', 'internal', 'io']);

/** How the bridge ends a socket whose key is missing, wrong or revoked. */
const CLOSE_UNAUTHORIZED = 4401;

export function connectBridge({ key, onUnauthorized }: BridgeOptions): Bridge {
  const socket = createWSClient({
    url: () => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/trpc-ws`,
    connectionParams: { key },
    retryDelayMs: backoff,
    onClose: (cause) => {
      if (cause?.code === CLOSE_UNAUTHORIZED) onUnauthorized();
    },
    keepAlive: { enabled: true, intervalMs: 10_000, pongTimeoutMs: 3_000 },
  });
  const api = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: [
          retryLink({
            retry: ({ error }) => {
              const { code } = problemOf(error);
              if (code === 'unauthorized') onUnauthorized();
              return PASSING.has(code);
            },
            retryDelayMs: backoff,
          }),
          wsLink({ client: socket }),
        ],
        false: httpLink({
          url: '/trpc',
          headers: { authorization: `Bearer ${key}` },
          fetch: async (url, options) => {
            const response = await fetch(url, { ...(options as RequestInit), credentials: 'omit' });
            if (response.status === 401) onUnauthorized();
            return response;
          },
        }),
      }),
    ],
  });
  const queries = createQueries();
  const connection = watchConnection(socket);
  return {
    api,
    trpc: createTRPCOptionsProxy<AppRouter>({ client: api, queryClient: queries }),
    queries,
    connection,
    close: () => {
      connection.stop();
      queries.clear();
      socket.close().catch(reportClose);
    },
  };
}

/** A socket that cannot be closed is gone already. */
function reportClose(error: unknown): void {
  globalThis.reportError(error);
}

function backoff(attempt: number): number {
  return attempt === 0 ? 0 : Math.min(200 * 2 ** attempt, 3_000);
}

/** The bridge is on this machine: whether the machine has a network says nothing about it. */
function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 2 && problemOf(error).code === 'offline',
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

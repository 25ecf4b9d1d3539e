/** One authenticated socket: from here on tRPC reads and answers its messages. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { getWSConnectionHandler } from '@trpc/server/adapters/ws';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../settings/access-types.ts';
import { pacedFlows } from './paced-flows.ts';
import { reportTo } from './report.ts';
import { createPace, withinHardBound } from './socket-pace.ts';
import { type ApiParts, MAX_BATCH } from './trpc-route.ts';

export interface OpenSocket {
  readonly socket: WebSocket;
  readonly req: IncomingMessage;
  readonly wire: Duplex;
}

export const PING_MS = 10_000;

/** `first`: the message that carried the key, when tRPC expects it as its connection parameters. */
export const startSession = (
  { socket, req, wire }: OpenSocket,
  options: {
    readonly caller: Caller;
    readonly first: Buffer | null;
    readonly api: ApiParts;
    readonly server: WebSocketServer;
  },
): void => {
  const { caller, first, api } = options;
  const flows = pacedFlows(api.flows, createPace(socket, wire));
  const start = getWSConnectionHandler({
    router: api.router,
    createContext: async () => ({ flows, caller }),
    keepAlive: { enabled: true, pingMs: api.pingMs ?? PING_MS, pongWaitMs: (api.pingMs ?? PING_MS) / 2 },
    onError: reportTo(api.log),
    experimental_encoder: {
      encode: (data) => {
        withinHardBound(socket);
        return JSON.stringify(data);
      },
      decode: (data) => withinBatch(JSON.parse(typeof data === 'string' ? data : '')),
    },
    wss: options.server,
  });
  start(socket, req);
  if (first !== null) socket.emit('message', first, false);
};

const withinBatch = (message: unknown): unknown => {
  if (Array.isArray(message) && message.length > MAX_BATCH)
    throw new RangeError('Too many calls in one message.');
  return message;
};

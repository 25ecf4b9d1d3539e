/** WebSockets at `/trpc-ws`: upgrade after the same checks as a request, key first, then the session. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../settings/access-types.ts';
import { bearerOf } from './bearer.ts';
import { refuseUpgrade } from './raw-refusal.ts';
import { type Refusal, refuse } from './refusal.ts';
import { checkRequest, pathOf } from './request-check.ts';
import { createPendingSockets, reject } from './socket-auth.ts';
import { type OpenSocket, startSession } from './socket-session.ts';
import { type ApiParts, MAX_CALL_BYTES } from './trpc-route.ts';

export const SOCKET_PATH = '/trpc-ws';
const CLOSE_GOING_AWAY = 1001;

export interface SocketServer {
  upgrade(req: IncomingMessage, wire: Duplex, head: Buffer): void;
  /** Authenticated sockets. */
  count(): number;
  /** Asks every client to connect again and starts the closing handshake. */
  announceClose(): void;
  terminateAll(): void;
}

export const createSocketServer = (api: ApiParts, port: number): SocketServer => {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: MAX_CALL_BYTES,
    perMessageDeflate: false,
  });
  const pending = createPendingSockets(api.access);
  const sessions = new Map<WebSocket, Caller>();
  const stopRevoked = api.access.onRevoked((keyId) => {
    for (const [socket, caller] of sessions) {
      if (caller.kind === 'browser' && caller.keyId === keyId) reject(socket);
    }
  });

  const admit = (open: OpenSocket, caller: Caller, first: Buffer | null): void => {
    sessions.set(open.socket, caller);
    open.socket.once('close', () => sessions.delete(open.socket));
    const expectsParams =
      new URL(open.req.url ?? '/', 'http://bridge').searchParams.get('connectionParams') === '1';
    startSession(open, { caller, first: expectsParams ? first : null, api, server });
  };

  return {
    upgrade(req, wire, head) {
      wire.on('error', () => wire.destroy());
      const secret = bearerOf(req);
      const caller = secret === null ? null : api.access.identify(secret);
      const refusal = checkUpgrade(req, port) ?? checkKey(req, caller, pending.full());
      if (refusal !== null) {
        refuseUpgrade(wire, refusal);
        return;
      }
      server.handleUpgrade(req, wire, head, (socket) => {
        socket.on('error', (error) => api.log.debug('A socket failed', { message: error.message }));
        const open = { socket, req, wire };
        if (caller !== null) admit(open, caller, null);
        else pending.wait(socket, (late, first) => admit(open, late, first));
      });
    },
    count: () => sessions.size,
    announceClose() {
      stopRevoked();
      for (const socket of sessions.keys()) socket.send(JSON.stringify({ id: null, method: 'reconnect' }));
      for (const socket of server.clients) socket.close(CLOSE_GOING_AWAY, 'the bridge stops');
    },
    terminateAll() {
      for (const socket of server.clients) socket.terminate();
    },
  };
};

const checkUpgrade = (req: IncomingMessage, port: number): Refusal | null => {
  const refusal = checkRequest(req, { port, isStatic: false });
  if (refusal !== null) return refusal;
  if (pathOf(req) === SOCKET_PATH && req.method === 'GET') return null;
  return refuse(404, 'not_found', 'There is nothing here.');
};

/** A wrong key in the header is told at once; none means that the first message brings it. */
const checkKey = (req: IncomingMessage, caller: Caller | null, full: boolean): Refusal | null => {
  if (caller !== null) return null;
  if (req.headers.authorization !== undefined) {
    return refuse(401, 'unauthorized', 'This request carries no valid key.');
  }
  return full ? refuse(503, 'busy', 'Too many connections wait for their key.') : null;
};

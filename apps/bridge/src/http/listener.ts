/**
 * The one listener of the bridge (DESIGN section 7). Loopback only; every request and upgrade passes the same checks;
 * only static files, `/health`, `/pair` and `/prove` answer without a key. A share never reaches it.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Clock } from '../platform/clock.ts';
import type { WebFile } from '../platform/web-files.ts';
import { bindLoopback, type PortWish } from './bind.ts';
import { createRateLimit } from './rate-limit.ts';
import { refuseGarbage } from './raw-refusal.ts';
import { createRequestHandler } from './request-handler.ts';
import { createSocketServer, type SocketServer } from './socket-server.ts';
import { openStaticFiles } from './static-files.ts';
import type { ApiParts } from './trpc-route.ts';

export interface ListenerOptions extends PortWish, ApiParts {
  /** The built page, from `listWebFiles`; empty when it is not built. */
  readonly web: readonly WebFile[];
  readonly clock: Clock;
}

export interface Listener {
  /** Canonical origin, `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Sockets with a valid key that are open now. */
  clients(): number;
  /** Accepts nothing more, asks pages to connect again, cuts what is left after `deadlineMs` (5 s at most). */
  close(deadlineMs: number): Promise<void>;
}

export const startListener = async (options: ListenerOptions): Promise<Listener> => {
  const { port, servers } = await bindLoopback(options);
  const sockets = createSocketServer(options, port);
  const pairing = createRateLimit({ nowMs: options.clock.nowMs, max: 20, windowMs: 60_000 });
  const handle = createRequestHandler({
    api: options,
    files: openStaticFiles(options.web),
    publicRoutes: { access: options.access, pairing, port },
  });
  for (const server of servers) {
    server.on('request', handle);
    server.on('checkExpectation', handle);
    server.on('upgrade', sockets.upgrade);
    server.on('clientError', (_error, wire) => refuseGarbage(wire));
    server.on('error', (error) => options.log.error('The listener failed', { error }));
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    clients: sockets.count,
    close: (deadlineMs) => closeAll(servers, sockets, Math.min(deadlineMs, 5000)),
  };
};

const closeAll = async (
  servers: readonly Server[],
  sockets: SocketServer,
  deadlineMs: number,
): Promise<void> => {
  const closed = servers.map(async (server) => {
    if (!server.listening) return;
    server.close();
    server.closeIdleConnections();
    await once(server, 'close');
  });
  sockets.announceClose();
  const timer = setTimeout(() => {
    sockets.terminateAll();
    for (const server of servers) server.closeAllConnections();
  }, deadlineMs);
  await Promise.all(closed);
  clearTimeout(timer);
};

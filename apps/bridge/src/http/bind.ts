/** Listening on this machine only: 127.0.0.1 and, where there is one, ::1, on the same port. */
import { createServer, type Server } from 'node:http';
import { BridgeError } from '@skein/core/protocol/errors';

export const DEFAULT_PORT = 4765;
const TRIES = 20;

export interface BoundServers {
  readonly port: number;
  readonly servers: readonly Server[];
}

export interface PortWish {
  /** Exactly this one, 0 for any free one; null: the preferred one or the next that is free. */
  readonly port: number | null;
  /** The one of last time. */
  readonly preferredPort?: number | null | undefined;
}

/** Fault `held` when the wished port is taken. */
export const bindLoopback = async (wish: PortWish): Promise<BoundServers> => {
  if (wish.port !== null && wish.port !== 0) {
    const bound = await tryPort(wish.port);
    if (bound !== null) return bound;
    throw new BridgeError('held', `Port ${wish.port} is taken by another program; choose another --port.`, {
      data: { port: wish.port },
    });
  }
  const start = wish.preferredPort ?? DEFAULT_PORT;
  for (let step = 0; step < TRIES; step += 1) {
    const bound = await tryPort(wish.port === 0 || start + step > 65535 ? 0 : start + step);
    if (bound !== null) return bound;
  }
  const any = await tryPort(0);
  if (any !== null) return any;
  throw new BridgeError('io', 'No port of this machine is free.', { data: { errno: 'EADDRINUSE' } });
};

/** Null when one of the two addresses is taken: another program on `localhost` would answer our visitors. */
const tryPort = async (port: number): Promise<BoundServers | null> => {
  const four = newServer();
  if ((await listen(four, { host: '127.0.0.1', port })) !== 'listening') return null;
  const bound = portOf(four);
  const six = newServer();
  const outcome = await listen(six, { host: '::1', port: bound });
  if (outcome === 'listening') return { port: bound, servers: [four, six] };
  if (outcome === 'no_address') return { port: bound, servers: [four] };
  four.close();
  return null;
};

const newServer = (): Server =>
  createServer({
    // We check it ourselves, so that this refusal carries our headers too.
    requireHostHeader: false,
    headersTimeout: 10_000,
    requestTimeout: 120_000,
    keepAliveTimeout: 30_000,
    connectionsCheckingInterval: 5000,
    maxHeaderSize: 32 * 1024,
  });

const listen = (
  server: Server,
  at: { readonly host: string; readonly port: number },
): Promise<'listening' | 'taken' | 'no_address'> =>
  new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve('taken');
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve('no_address');
      else reject(error);
    };
    server.once('error', onError);
    server.listen({ ...at, exclusive: true, ipv6Only: at.host === '::1' }, () => {
      server.off('error', onError);
      resolve('listening');
    });
  });

const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new BridgeError('internal', 'The listener has no port.');
  return address.port;
};

/**
 * Sockets that have not yet said who they are: at most 20, 5 seconds each, and nothing is answered. The first message
 * must be `{"method":"connectionParams","data":{"key"|"token":"…"}}`, as the tRPC client sends it.
 */
import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { Access, Caller } from '../settings/access-types.ts';

export const MAX_PENDING = 20;
export const AUTH_WAIT_MS = 5000;
/** Close code of a socket whose key is missing, wrong or revoked; the page asks for a fresh link then. */
export const CLOSE_UNAUTHORIZED = 4401;

const firstMessageSchema = z.object({
  method: z.literal('connectionParams'),
  data: z.union([z.object({ key: z.string() }), z.object({ token: z.string() })]),
});

export interface PendingSockets {
  full(): boolean;
  /** Calls back once, synchronously with the good first message, so that no later message is missed. */
  wait(socket: WebSocket, onGood: (caller: Caller, first: Buffer) => void): void;
}

export const createPendingSockets = (access: Access, waitMs: number = AUTH_WAIT_MS): PendingSockets => {
  const pending = new Set<WebSocket>();
  return {
    full: () => pending.size >= MAX_PENDING,
    wait(socket, onGood) {
      pending.add(socket);
      const timer = setTimeout(() => reject(socket), waitMs);
      const leave = (): void => {
        clearTimeout(timer);
        pending.delete(socket);
        socket.off('message', onMessage);
      };
      const onMessage = (data: unknown, isBinary: boolean): void => {
        leave();
        const first = Buffer.isBuffer(data) && !isBinary ? data : null;
        const caller = first === null ? null : callerOf(first, access);
        if (first === null || caller === null) reject(socket);
        else onGood(caller, first);
      };
      socket.on('message', onMessage);
      socket.once('close', leave);
    },
  };
};

/** A client that does not take part in the closing handshake is cut off. */
export const reject = (socket: WebSocket): void => {
  socket.removeAllListeners('message');
  socket.close(CLOSE_UNAUTHORIZED, 'unauthorized');
  const timer = setTimeout(() => socket.terminate(), 250);
  socket.once('close', () => clearTimeout(timer));
};

const callerOf = (first: Buffer, access: Access): Caller | null => {
  const parsed = firstMessageSchema.safeParse(jsonOrNull(first));
  if (!parsed.success) return null;
  const { data } = parsed.data;
  return access.identify('key' in data ? data.key : data.token);
};

const jsonOrNull = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

/** How much one socket may have in memory, and waiting until it has less. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Pace } from './paced-flows.ts';

/** Above this, subscriptions of the socket wait. */
export const SOFT_BUFFER_BYTES = 1024 * 1024;
/** Above this, the client is dropped: it asks for answers and does not read them. */
export const HARD_BUFFER_BYTES = 64 * 1024 * 1024;

export const createPace =
  (socket: WebSocket, wire: Duplex): Pace =>
  () =>
    new Promise((resolve) => {
      if (socket.readyState !== socket.OPEN || socket.bufferedAmount <= SOFT_BUFFER_BYTES) {
        resolve();
        return;
      }
      const done = (): void => {
        wire.off('drain', done);
        wire.off('close', done);
        resolve();
      };
      wire.once('drain', done);
      wire.once('close', done);
    });

/** True while the socket may take another message; else it is cut, and with it everything it holds. */
export const withinHardBound = (socket: WebSocket): boolean => {
  if (socket.bufferedAmount <= HARD_BUFFER_BYTES) return true;
  socket.terminate();
  return false;
};

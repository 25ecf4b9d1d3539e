/**
 * One reader of the global stream. Changes of the same thing replace each other while they wait, so a slow reader
 * gets the newest state. More than 1024 different things waiting ends the stream with `limit`: the reader
 * subscribes again and starts from a snapshot.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import type { GlobalEvent } from '@skein/core/protocol/events';
import { createReaderQueue } from './reader-queue.ts';

const MAX_EVENTS = 1024;

export interface GlobalReader {
  push(event: GlobalEvent): void;
  iterate(): AsyncIterableIterator<GlobalEvent>;
}

export const createGlobalReader = (signal: AbortSignal, onClose: () => void): GlobalReader => {
  const waiting = new Map<string, GlobalEvent>();
  const take = (): GlobalEvent | undefined => {
    for (const [key, event] of waiting) {
      waiting.delete(key);
      return event;
    }
    return undefined;
  };
  const reader = createReaderQueue({ take, signal, onClose });
  return {
    push(event) {
      const key = keyOf(event);
      waiting.delete(key);
      waiting.set(key, event);
      if (waiting.size > MAX_EVENTS) {
        waiting.clear();
        reader.end(new BridgeError('limit', 'This window fell too far behind and starts again.'));
        return;
      }
      reader.wake();
    },
    iterate: reader.iterate,
  };
};

/** What an event is about; the newest event about one thing is all a reader needs. */
const keyOf = (event: GlobalEvent): string => {
  switch (event.type) {
    case 'strand':
      return `strand:${event.summary.id}`;
    case 'strand_gone':
      return `strand:${event.id}`;
    case 'permission':
      return `permission:${event.request.id}`;
    case 'permission_closed':
      return `permission:${event.id}`;
    case 'queue':
      return `queue:${event.strand}`;
    case 'job':
      return `job:${event.job.id}`;
    case 'recovery':
      return `recovery:${event.report.strand}:${event.report.op}`;
    case 'notice':
      return `notice:${event.notice.id}`;
    case 'snapshot':
    case 'page':
    case 'settings':
      return event.type;
  }
};

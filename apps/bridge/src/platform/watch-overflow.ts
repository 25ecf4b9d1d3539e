/**
 * The kernel keeps only so many events; what comes after is dropped, and the runtime does not say so. All that are kept
 * are read in one turn of the event loop, so a turn with nearly that many may have lost some.
 */
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errnoOf, ioFault } from './io-fault.ts';

export interface WatchOverflow {
  /** One more event. */
  count(): void;
  /** Something may be missing, whatever was counted. */
  lose(): void;
  /** Whether something may be missing since the last time it was asked. */
  takeLost(): boolean;
}

const QUEUE_FILE = '/proc/sys/fs/inotify/max_queued_events';

export const createWatchOverflow = (): WatchOverflow => {
  const limit = queueLimit();
  let inTurn = 0;
  let isLost = false;
  const endTurn = async (): Promise<void> => {
    await nextTurn();
    inTurn = 0;
  };
  return {
    count() {
      if (inTurn === 0) void endTurn();
      inTurn += 1;
      if (inTurn >= limit) isLost = true;
    },
    lose() {
      isLost = true;
    },
    takeLost() {
      const wasLost = isLost;
      isLost = false;
      return wasLost;
    },
  };
};

/** Half of what the kernel keeps: a turn with that many may stand for more. */
const queueLimit = (): number => {
  try {
    return Math.max(16, Number.parseInt(readFileSync(QUEUE_FILE, 'utf8'), 10) / 2);
  } catch (error) {
    if (errnoOf(error) === null) throw ioFault(error, 'Reading a file', QUEUE_FILE);
    return 4096;
  }
};

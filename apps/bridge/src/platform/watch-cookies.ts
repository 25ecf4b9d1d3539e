/**
 * Tells when a queue of file system events was read up to now: a file written into a folder of ours is told after
 * everything that happened before it, by the same mechanism.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { newName } from './ids.ts';
import { errnoOf } from './io-fault.ts';
import { type OpenWatch, openWatch } from './open-watch.ts';

export interface WatchCookies {
  /** False when it is not known: the cookie could not be written or was not told of in time. */
  drain(): Promise<boolean>;
  close(): void;
}

const DRAIN_MS = 2000;

/** `dir` is made where it is missing. `onEvent`: each event takes a place in the queue. */
export const openWatchCookies = (dir: string, onEvent: () => void): WatchCookies => {
  const waiting = new Map<string, () => void>();
  const open = (): OpenWatch => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return openWatch(dir, (name) => {
      onEvent();
      if (name !== null) waiting.get(name)?.();
    });
  };
  let watch = open();
  const stop = (): void => {
    if (typeof watch !== 'string') watch.close();
  };
  return {
    async drain() {
      if (typeof watch !== 'string' && (await isTold(dir, waiting))) return true;
      // Whoever removed the folder took its watch away with it.
      stop();
      watch = open();
      return false;
    },
    close: stop,
  };
};

/** A name of its own for each drain: an event that an earlier cookie left behind would tell too early. */
const isTold = async (dir: string, waiting: Map<string, () => void>): Promise<boolean> => {
  const name = newName();
  const path = join(dir, name);
  const told = Promise.withResolvers<true>();
  const late = new AbortController();
  waiting.set(name, () => told.resolve(true));
  try {
    if (!writeCookie(path)) return false;
    return await Promise.race([told.promise, timeUp(late.signal)]);
  } finally {
    late.abort();
    waiting.delete(name);
    rmSync(path, { force: true });
  }
};

const timeUp = async (signal: AbortSignal): Promise<false> => {
  try {
    await wait(DRAIN_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return false;
};

/** False when it cannot be written: then nothing is known. */
const writeCookie = (path: string): boolean => {
  try {
    writeFileSync(path, '', { mode: 0o600 });
    return true;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return false;
  }
};

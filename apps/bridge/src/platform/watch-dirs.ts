/** Tells when something in a set of folders changed. A hint, never the truth: events may be lost, so scan too. */
import { type FSWatcher, watch } from 'node:fs';
import { errnoOf } from './io-fault.ts';

export interface DirWatch {
  /** Watches one more folder; false when the system has no watch left or the folder is gone. Idempotent. */
  add(path: string): boolean;
  remove(path: string): void;
  close(): void;
}

/**
 * `onChange` gets the folder and the name, null when the system did not say which. `onFailure` is called when a watch
 * cannot be had (`ENOSPC`, `EMFILE`): then poll.
 */
export const watchDirs = (
  onChange: (dir: string, name: string | null) => void,
  onFailure: (errno: string) => void,
): DirWatch => {
  const watchers = new Map<string, FSWatcher>();
  const remove = (path: string): void => {
    watchers.get(path)?.close();
    watchers.delete(path);
  };
  const fail = (path: string, error: unknown): void => {
    remove(path);
    const errno = errnoOf(error);
    if (errno === null) throw error;
    if (errno !== 'ENOENT') onFailure(errno);
  };
  const add = (path: string): boolean => {
    if (watchers.has(path)) return true;
    try {
      const watcher = watch(path, { persistent: false }, (_event, name) => onChange(path, name));
      watcher.on('error', (error) => fail(path, error));
      watchers.set(path, watcher);
      return true;
    } catch (error) {
      fail(path, error);
      return false;
    }
  };
  return {
    add,
    remove,
    close: () => {
      for (const path of [...watchers.keys()]) remove(path);
    },
  };
};

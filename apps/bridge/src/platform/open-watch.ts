/** One watch of one folder by the system, with names as bytes. */
import { type FSWatcher, watch } from 'node:fs';
import { asBytePath, type BytePath } from './byte-path.ts';
import { errnoOf } from './io-fault.ts';

/** `gone`: there is no such folder, or we may not read it. `refused`: the system has no watch left. */
export type OpenWatch = FSWatcher | 'gone' | 'refused';

/** `onName` gets null when something happened and nobody knows what. */
export const openWatch = (path: string | Buffer, onName: (name: BytePath | null) => void): OpenWatch => {
  try {
    const watcher = watch(path, { persistent: false, encoding: 'latin1' }, (_event, name) =>
      onName(name === null ? null : asBytePath(name)),
    );
    watcher.on('error', () => onName(null));
    return watcher;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === null) throw error;
    return errno === 'ENOSPC' || errno === 'EMFILE' || errno === 'ENFILE' || errno === 'ENOMEM'
      ? 'refused'
      : 'gone';
  }
};

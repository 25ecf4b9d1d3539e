/** A database of ours that can be made anew, with what SQLite lays beside it. */
import { rmSync } from 'node:fs';
import { ioFault } from './io-fault.ts';

export const removeDatabase = (path: string): void => {
  try {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(path + ending, { force: true });
  } catch (error) {
    throw ioFault(error, 'Removing a database', path);
  }
};

/**
 * Files beside locks that a crash left: a lock is written under a name of its own first (lock.ts), and whoever takes one
 * over from a dead process holds a second one for a moment.
 */
import { join } from 'node:path';
import { listDir, removeFile, statIfThere } from './files.ts';
import type { ProcessIdentity } from './host.ts';
import { lockHolder } from './lock.ts';

/** `<lock>.<nonce>`, and the same of a turnstile; restore locks are named by a hash alone. */
const TEMP = /(?:\.lock|\.lease|^[0-9a-f]{64})(?:\.[0-9a-z]{1,24}\.over)*\.[0-9a-z]{24}$/;
const TURNSTILE = /(?:\.lock|\.lease|^[0-9a-f]{64})(?:\.[0-9a-z]{1,24}\.over)+$/;

/** Returns how many were removed. Fault `io`. */
export const sweepLockTemps = async (
  dir: string,
  { olderThanMs, process }: { readonly olderThanMs: number; readonly process: ProcessIdentity },
): Promise<number> => {
  let removed = 0;
  for (const { name, kind } of await listDir(dir)) {
    if (kind !== 'file' || name === null || !(TEMP.test(name) || TURNSTILE.test(name))) continue;
    const path = join(dir, name);
    const stat = await statIfThere(path);
    if (stat === null || Date.now() - Number(stat.mtimeMs) < olderThanMs) continue;
    if (TURNSTILE.test(name) && lockHolder(path, process) !== null) continue;
    await removeFile(path);
    removed += 1;
  }
  return removed;
};

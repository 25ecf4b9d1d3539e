/**
 * What a crash left of files that were being replaced. Only where Skein writes such files, only when a bridge starts:
 * a folder or two that hold thousands of names need not be read for every command.
 */
import { join } from 'node:path';
import { isBridgeError } from '@skein/core/protocol/errors';
import { sweepTemps } from '../platform/files.ts';
import type { ProcessIdentity } from '../platform/host.ts';
import { sweepLockTemps } from '../platform/lock-temps.ts';
import type { FileLog } from '../platform/log.ts';
import { runtimeDirOf } from '../settings/runtime.ts';
import type { DataDir } from '../strands/data-dir.ts';

/** A temp lives for milliseconds. Its name says no process, so only age tells: nobody sleeps in the middle for a day. */
const OLD_MS = 24 * 60 * 60 * 1000;

/** A folder that cannot be swept costs nothing but its space: that is for the log. */
export const sweepOldTemps = async (where: {
  readonly data: DataDir;
  readonly configDir: string;
  readonly process: ProcessIdentity;
  readonly log: Pick<FileLog, 'warn' | 'info'>;
}): Promise<void> => {
  const { data, configDir, process, log } = where;
  const locks = [data.state, data.leases, join(data.state, 'locks'), join(data.state, 'queues'), configDir];
  const folders = [
    data.root,
    ...locks,
    runtimeDirOf(data.root, process.host),
    join(data.spills, 'tmp'),
    join(data.snapshots, 'blobs', 'tmp'),
    join(data.snapshots, 'journals'),
  ];
  for (const folder of folders) {
    try {
      const swept =
        (await sweepTemps(folder, OLD_MS)) +
        (locks.includes(folder) ? await sweepLockTemps(folder, { olderThanMs: OLD_MS, process }) : 0);
      if (swept > 0) log.info('Removed what a crash left of files that were being saved', { folder, swept });
    } catch (error) {
      if (!isBridgeError(error)) throw error;
      log.warn(error.message);
    }
  }
};

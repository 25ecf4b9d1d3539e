/** One restore at a time in a workspace: busy at once, never a queue (a second undo must be planned anew). */
import { BridgeError } from '@skein/core/protocol/errors';
import { makePrivateDir } from '../platform/files.ts';
import { takeLock } from '../platform/lock.ts';
import { locksDir, restoreLock, type StoreContext } from './deps.ts';

/** Faults: `busy` (`data.holder`), `io`, and those of the task. Gate writes of this process wait meanwhile. */
export const withRestoreLock = async <T>(
  store: StoreContext,
  root: string,
  task: () => Promise<T>,
): Promise<T> => {
  if (store.settling.has(root)) {
    throw new BridgeError('busy', 'A turn in this folder is still being finalized. Try again shortly.', {
      data: { holder: 'settling' },
    });
  }
  await makePrivateDir(locksDir(store));
  const outcome = takeLock(restoreLock(store, root), { process: store.process, purpose: 'restoring files' });
  if (outcome.kind === 'held') {
    throw new BridgeError('busy', 'Files are being restored in this folder. Try again when that is done.', {
      data: { holder: outcome.holder },
    });
  }
  try {
    return await store.queue.run(`root:${root}`, task);
  } finally {
    outcome.lock.release();
  }
};

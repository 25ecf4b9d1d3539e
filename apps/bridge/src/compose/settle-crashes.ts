/** Before the bridge answers anybody: what a crash left is settled, session by session. */
import { isBridgeError } from '@skein/core/protocol/errors';
import type { StrandId } from '@skein/core/record/ids';
import type { OpenedParts } from './open-parts.ts';

/** Opening a session for writing settles it (see `flows/recover.ts`). One that cannot be settled is named, the others go on. */
export const settleCrashes = async ({ parts, log }: OpenedParts): Promise<void> => {
  await parts.processes.sweep();
  const open = (await parts.announcements.summaries()).filter(({ state }) => state === 'interrupted');
  const strands = new Set<StrandId>([...(await parts.snapshots.unsettled()), ...open.map(({ id }) => id)]);
  for (const strand of strands) {
    try {
      await parts.pool.use(strand, async () => undefined);
    } catch (error) {
      // Another process may be at work in it right now: then it is not ours to settle.
      if (isBridgeError(error) && (error.code === 'held' || error.code === 'not_found'))
        log.info(error.message);
      else parts.announcements.fault(strand, error);
    }
  }
};

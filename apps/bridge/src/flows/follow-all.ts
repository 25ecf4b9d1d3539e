/** The global stream: a snapshot of everything a page shows around its tabs, then changes. */
import type { GlobalEvent, Job, Notice, PageState } from '@skein/core/protocol/events';
import type { RecoveryReport } from '@skein/core/protocol/restore';
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { PermissionRequest, QueuedPrompt } from '@skein/core/protocol/turns';
import type { EventHub } from '../events/types.ts';

export interface FollowAllDeps {
  readonly hub: Pick<EventHub, 'followGlobal'>;
  readonly strands: () => Promise<readonly StrandSummary[]>;
  readonly permissions: () => readonly PermissionRequest[];
  readonly queues: () => Promise<Readonly<Record<string, readonly QueuedPrompt[]>>>;
  readonly jobs: () => readonly Job[];
  readonly page: () => Promise<PageState>;
  readonly recoveries: () => readonly RecoveryReport[];
  readonly notices: () => readonly Notice[];
}

/** Subscribes before the snapshot is read, so that a change between the two arrives twice rather than never. */
export const createFollowAll = (deps: FollowAllDeps) =>
  async function* (signal: AbortSignal): AsyncGenerator<GlobalEvent> {
    const changes = deps.hub.followGlobal(signal);
    try {
      yield {
        type: 'snapshot',
        snapshot: {
          strands: [...(await deps.strands())],
          permissions: [...deps.permissions()],
          queues: Object.fromEntries(
            Object.entries(await deps.queues()).map(([id, queue]) => [id, [...queue]]),
          ),
          jobs: [...deps.jobs()],
          page: await deps.page(),
          recoveries: [...deps.recoveries()],
          notices: [...deps.notices()],
        },
      };
      yield* changes;
    } finally {
      // Also when the snapshot could not be read, or its reader went with it.
      await changes.return?.();
    }
  };

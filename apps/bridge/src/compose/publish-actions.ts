/** Keeps `runtime/<scope>/sessions/` up to date while a bridge runs. For looking at only: a failure is a line in the log. */
import type { ActionState } from '@skein/core/protocol/restore';
import type { StrandId } from '@skein/core/record/ids';
import { type RuntimeActions, runtimeActionsOf, sameActions } from '@skein/core/restore/runtime-actions';
import type { StrandState } from '@skein/core/strand/replay';
import type { EventHub } from '../events/types.ts';
import { systemClock } from '../platform/clock.ts';
import type { ProcessIdentity } from '../platform/host.ts';
import type { FileLog } from '../platform/log.ts';
import { type ActionFiles, openActionFiles } from '../settings/action-files.ts';

export interface PublishActionsDeps {
  readonly runtimeDir: string;
  readonly process: ProcessIdentity;
  readonly hub: Pick<EventHub, 'followGlobal'>;
  readonly state: (strand: StrandId) => Promise<StrandState>;
  readonly actions: (input: { strand: StrandId }) => Promise<ActionState>;
  readonly log: Pick<FileLog, 'warn'>;
}

/** Never rejects. The returned function ends it, and removes its files; it does not reject either. */
export const publishActions = async (deps: PublishActionsDeps): Promise<() => Promise<void>> => {
  const warn = (error: unknown): void => deps.log.warn('Action state for other programs', { error });
  const nothing = async (): Promise<void> => undefined;
  try {
    const opened = await openActionFiles({ ...deps, nowMs: systemClock.nowMs });
    if (opened.kind === 'open') return follow(deps, opened.files, warn);
    deps.log.warn(opened.reason);
    return nothing;
  } catch (error) {
    warn(error);
    return nothing;
  }
};

const follow = (
  deps: PublishActionsDeps,
  files: ActionFiles,
  warn: (error: unknown) => void,
): (() => Promise<void>) => {
  const stop = new AbortController();
  const shown = new Map<StrandId, RuntimeActions>();
  const events = deps.hub.followGlobal(stop.signal);
  const update = async (strand: StrandId): Promise<void> => {
    const next = runtimeActionsOf(strand, await deps.state(strand), await deps.actions({ strand }));
    const before = shown.get(strand);
    if (before !== undefined && sameActions(before, next)) return;
    await files.put(next);
    shown.set(strand, next);
  };
  const work = async (): Promise<void> => {
    for await (const event of events) {
      try {
        if (event.type === 'strand') await update(event.summary.id);
        if (event.type === 'strand_gone') {
          shown.delete(event.id);
          await files.drop(event.id);
        }
      } catch (error) {
        warn(error);
      }
    }
  };
  const ended = work().catch(warn);
  return async () => {
    stop.abort();
    await ended;
    await files.close().catch(warn);
  };
};

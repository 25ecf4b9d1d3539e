/** When a bridge clears up: shortly after its start and every hour, one pass at a time, never in the way of a request. */
import { isBridgeError } from '@skein/core/protocol/errors';
import type { StoreCleanup } from '@skein/core/protocol/store';
import type { FileLog } from '../platform/log.ts';
import type { Upkeep } from '../snapshots/upkeep/types.ts';

const FIRST_MS = 2000;
const EVERY_MS = 60 * 60 * 1000;

export interface ScheduleDeps {
  readonly upkeep: Pick<Upkeep, 'run'>;
  readonly log: Pick<FileLog, 'info'>;
  readonly onFault: (error: unknown) => void;
  /** Turns cannot be undone any more: never in silence. */
  readonly notice: (message: string) => void;
  /** For tests. */
  readonly timing?: { readonly firstMs: number; readonly everyMs: number };
}

export interface UpkeepSchedule {
  /** Begins nothing more and tells a pass that runs to end early. */
  stop(): void;
  /** Resolves when nothing runs any more, or after so long: what a pass leaves, the next one finds. */
  ended(withinMs: number): Promise<void>;
}

export const scheduleUpkeep = (deps: ScheduleDeps): UpkeepSchedule => {
  const { firstMs, everyMs } = deps.timing ?? { firstMs: FIRST_MS, everyMs: EVERY_MS };
  const stopping = new AbortController();
  let pass: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const next = (inMs: number): void => {
    timer = setTimeout(() => {
      pass = runPass(deps, stopping.signal).then(() => {
        if (!stopping.signal.aborted) next(everyMs);
      });
    }, inMs);
    timer.unref();
  };
  next(firstMs);
  return {
    stop() {
      stopping.abort();
      clearTimeout(timer);
    },
    async ended(withinMs) {
      const late = Promise.withResolvers<void>();
      const limit = setTimeout(late.resolve, withinMs);
      await Promise.race([pass, late.promise]);
      clearTimeout(limit);
    },
  };
};

/** Never rejects: a pass that failed is told, and the next one is as good as the first. */
const runPass = async (deps: ScheduleDeps, signal: AbortSignal): Promise<void> => {
  try {
    report(deps, await deps.upkeep.run(signal));
  } catch (error) {
    // Somebody else is at it.
    if (isBridgeError(error) && error.code === 'busy') deps.log.info(error.message);
    else if (!signal.aborted) deps.onFault(error);
  }
};

const report = (deps: ScheduleDeps, { freed, expired }: StoreCleanup): void => {
  if (freed > 0 || expired > 0) deps.log.info('Saved versions were cleared up', { freed, expired });
  if (expired === 0) return;
  const turns = expired === 1 ? '1 turn' : `${expired} turns`;
  deps.notice(
    `Saved versions of ${turns} were removed, as the settings say (snapshots); the sessions are kept.`,
  );
};

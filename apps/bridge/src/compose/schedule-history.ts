/** While the vault is on a bridge looks at other tools' sessions by itself, so that what they delete was kept before. */
import type { HistoryStore } from '../history/types.ts';

const EVERY_MS = 60_000;

export interface ScheduleHistoryDeps {
  readonly history: Pick<HistoryStore, 'list'>;
  readonly isOn: () => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
  /** For tests. */
  readonly everyMs?: number;
}

/** One look at a time; the answer ends it and resolves when none runs. */
export const scheduleHistory = (deps: ScheduleHistoryDeps): (() => Promise<void>) => {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let pass: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      if (await deps.isOn()) await deps.history.list();
    } catch (error) {
      deps.onFault(error);
    }
    if (!stopped) next();
  };
  const next = (): void => {
    timer = setTimeout(() => {
      pass = look();
    }, deps.everyMs ?? EVERY_MS);
    timer.unref();
  };
  next();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await pass;
  };
};

/**
 * Long work with progress, cancel and a result, visible in every window. Owns the list; what a job does is the
 * caller's. A job that fails says so in its state: nothing here throws for it.
 */
import { isBridgeError } from '@skein/core/protocol/errors';
import type { Job } from '@skein/core/protocol/events';

/** Finished jobs kept for windows that open later. */
const KEEP_FINISHED = 50;

export interface JobContext {
  readonly signal: AbortSignal;
  progress(done: number, total: number | null): void;
}

export interface Jobs {
  /** Starts at once. The promise settles with the finished job and never rejects. */
  start(
    what: { readonly kind: string; readonly title: string },
    run: (context: JobContext) => Promise<Job['result']>,
  ): { readonly job: Job; readonly finished: Promise<Job> };
  list(): readonly Job[];
  /** False when there is no such job or it is over. */
  cancel(id: string): boolean;
  /** Cancels all and resolves when none runs. */
  close(): Promise<void>;
}

interface Entry {
  job: Job;
  readonly controller: AbortController;
  finished: Promise<Job>;
}

export const createJobs = (options: {
  readonly newId: () => string;
  readonly publish: (job: Job) => void;
}): Jobs => {
  const entries = new Map<string, Entry>();

  const update = (entry: Entry, change: Partial<Job>): Job => {
    entry.job = { ...entry.job, ...change };
    options.publish(entry.job);
    return entry.job;
  };
  const forgetOldest = (): void => {
    const over = [...entries.values()].filter((entry) => entry.job.state !== 'running');
    for (const entry of over.slice(0, Math.max(0, over.length - KEEP_FINISHED))) entries.delete(entry.job.id);
  };
  const carryOut = async (
    entry: Entry,
    run: (context: JobContext) => Promise<Job['result']>,
  ): Promise<Job> => {
    const { signal } = entry.controller;
    try {
      const result = await run({
        signal,
        progress: (done, total) => {
          if (entry.job.state === 'running') update(entry, { done, total });
        },
      });
      return update(entry, { state: signal.aborted ? 'cancelled' : 'done', result });
    } catch (error) {
      return update(
        entry,
        signal.aborted ? { state: 'cancelled' } : { state: 'failed', error: sentenceOf(error) },
      );
    } finally {
      forgetOldest();
    }
  };

  return {
    start({ kind, title }, run) {
      const job: Job = {
        id: options.newId(),
        kind,
        title,
        state: 'running',
        done: 0,
        total: null,
        error: null,
        result: null,
      };
      const entry: Entry = { job, controller: new AbortController(), finished: Promise.resolve(job) };
      entries.set(job.id, entry);
      options.publish(job);
      entry.finished = carryOut(entry, run);
      return { job, finished: entry.finished };
    },
    list: () => [...entries.values()].map((entry) => entry.job),
    cancel(id) {
      const entry = entries.get(id);
      if (entry === undefined || entry.job.state !== 'running') return false;
      entry.controller.abort();
      return true;
    },
    async close() {
      for (const entry of entries.values()) entry.controller.abort();
      await Promise.all([...entries.values()].map((entry) => entry.finished));
    },
  };
};

const sentenceOf = (error: unknown): string =>
  isBridgeError(error) ? error.message : 'Something failed inside the bridge; the log has the details.';

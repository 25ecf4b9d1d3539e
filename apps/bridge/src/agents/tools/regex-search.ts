/** A regular expression with a deadline: asks the worker thread, and ends it when it takes too long. */
import { Worker } from 'node:worker_threads';

export interface LineMatch {
  readonly line: number;
  readonly text: string;
}

export interface RegexSearch {
  /** `slow`: the deadline passed; the search is over for good. */
  search(text: string, limit: number): Promise<readonly LineMatch[] | 'slow'>;
  close(): Promise<void>;
}

/** `pattern` has been compiled before, so that its syntax is good. */
export const openRegexSearch = (pattern: RegExp, deadlineMs: number): RegexSearch => {
  const script = import.meta.url.endsWith('.ts') ? './regex-worker.ts' : './regex-worker.js';
  const worker = new Worker(new URL(script, import.meta.url), {
    workerData: { source: pattern.source, flags: pattern.flags },
  });
  let failure: Error | null = null;
  worker.on('error', (error) => {
    failure = error;
  });
  return {
    async search(text, limit) {
      if (failure !== null) throw failure;
      const { promise, resolve, reject } = Promise.withResolvers<readonly LineMatch[] | 'slow'>();
      const timer = setTimeout(() => resolve('slow'), deadlineMs);
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.postMessage({ text, limit });
      try {
        return await promise;
      } finally {
        clearTimeout(timer);
        worker.off('message', resolve);
        worker.off('error', reject);
      }
    },
    async close() {
      await worker.terminate();
    },
  };
};

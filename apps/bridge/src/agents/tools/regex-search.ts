/** A regular expression with a deadline: asks the worker thread, and ends it when it takes too long. */
import { Worker } from 'node:worker_threads';

export interface SearchPattern {
  readonly source: string;
  readonly flags: string;
}

export interface SearchRequest {
  readonly text: string;
  readonly limit: number;
}

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
  const workerData: SearchPattern = { source: pattern.source, flags: pattern.flags };
  const worker = new Worker(workerScript(import.meta.url), { workerData });
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
      worker.postMessage({ text, limit } satisfies SearchRequest);
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

/** Beside this file in the sources; in the built bridge beside main.js, also when we are in one of its chunks. */
export const workerScript = (here: string): URL => {
  if (here.endsWith('.ts')) return new URL('./regex-worker.ts', here);
  return new URL(/\/chunks\/[^/]*$/.test(here) ? '../regex-worker.js' : './regex-worker.js', here);
};

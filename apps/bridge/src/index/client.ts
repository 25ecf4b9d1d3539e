/**
 * The index as the rest of the bridge sees it: a thread of its own, started with the first call. A search that takes too
 * long ends the thread: the next call starts another one, and what was indexed is on disk.
 */
import { Worker } from 'node:worker_threads';
import { BridgeError } from '@skein/core/protocol/errors';
import type { SearchOutput } from '@skein/core/protocol/search';
import type { Asked, Request, Told } from './messages.ts';
import type { IndexedFile, SyncProgress, SyncReport } from './ports.ts';

export interface IndexClient {
  /** Reads what is new or has changed, forgets what is not in the list. Faults: `io`, `unavailable`. */
  sync(files: readonly IndexedFile[], onProgress: (progress: SyncProgress) => void): Promise<SyncReport>;
  /** Faults: `limit` (it took too long), `io`. */
  find(query: string, limit: number): Promise<Omit<SearchOutput, 'indexing'>>;
  close(): Promise<void>;
}

const FIND_DEADLINE_MS = 20_000;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export const createIndexClient = (options: {
  readonly script: URL;
  readonly databaseFile: string;
  readonly notice: (text: string) => void;
  readonly nowMs: () => number;
  /** For tests. */
  readonly deadlineMs?: number;
}): IndexClient => {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let last = 0;
  let onProgress: (progress: SyncProgress) => void = () => undefined;

  const failAll = (error: unknown): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    worker = null;
  };
  const heard = (told: Told): void => {
    if (told.kind === 'progress') onProgress(told.progress);
    else if (told.kind === 'notice') options.notice(told.text);
    else {
      const one = waiting.get(told.id);
      waiting.delete(told.id);
      if (told.kind === 'answer') one?.resolve(told.value);
      else one?.reject(new BridgeError('io', `The search index: ${told.message}`));
    }
  };
  const started = (): Worker => {
    if (worker !== null) return worker;
    const fresh = new Worker(options.script, { workerData: { databaseFile: options.databaseFile } });
    fresh.unref();
    fresh.on('message', heard);
    fresh.on('error', failAll);
    fresh.on('exit', () => {
      if (worker === fresh) failAll(new BridgeError('io', 'The thread of the search index ended.'));
    });
    worker = fresh;
    return fresh;
  };
  const ask = (asked: Asked): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    last += 1;
    waiting.set(last, { resolve, reject });
    const request: Request = { id: last, asked };
    started().postMessage(request);
    return promise;
  };
  return {
    async sync(files, tell) {
      onProgress = tell;
      // Each kind of request has its own answer.
      return (await ask({ kind: 'sync', files })) as SyncReport;
    },
    async find(query, limit) {
      const timer = setTimeout(() => {
        const ended = worker;
        failAll(
          new BridgeError('limit', 'This search took too long. Try it without re:/…/, or with more words.'),
        );
        ended?.terminate().catch(() => undefined);
      }, options.deadlineMs ?? FIND_DEADLINE_MS);
      try {
        return (await ask({ kind: 'find', query, limit, nowMs: options.nowMs() })) as Omit<
          SearchOutput,
          'indexing'
        >;
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      const ended = worker;
      failAll(new BridgeError('io', 'The bridge is closing.'));
      await ended?.terminate();
    },
  };
};

/**
 * Colours for code, off the main thread: a worker with a deadline, or, where a worker cannot start, small
 * texts when the page is idle. The caller shows plain text first and may never get an answer.
 */
import { highlightIdle } from './highlight-idle.ts';
import { languageOf } from './highlight-languages.ts';
import type { HighlightReply, TokenLine } from './highlight-tokens.ts';

const MAX_CHARS = 60_000;
const DEADLINE_MS = 1000;
const CACHE_SIZE = 200;

interface Job {
  readonly id: number;
  readonly code: string;
  readonly language: string;
  readonly done: (lines: readonly TokenLine[] | null) => void;
}

/** One for the page; it owns the worker and what it has coloured so far. */
export class Highlighter {
  readonly #cache = new Map<string, readonly TokenLine[]>();
  readonly #queue: Job[] = [];
  #worker: Worker | null = null;
  #workerFails = false;
  #running: Job | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextId = 1;

  /** What is known at once, for a first paint without a flash. */
  cached(code: string, language: string | undefined): readonly TokenLine[] | null {
    return this.#cache.get(keyOf(code, language)) ?? null;
  }

  /** Null when the language is not known, the text too long, or it took too long. */
  highlight(code: string, language: string | undefined): Promise<readonly TokenLine[] | null> {
    const known = languageOf(language);
    if (known === null || code.length > MAX_CHARS) return Promise.resolve(null);
    const hit = this.cached(code, language);
    if (hit !== null) return Promise.resolve(hit);
    return new Promise((resolve) => {
      const done = (lines: readonly TokenLine[] | null): void => {
        if (lines !== null) this.#keep(keyOf(code, language), lines);
        resolve(lines);
      };
      this.#queue.push({ id: this.#nextId, code, language: known, done });
      this.#nextId += 1;
      this.#next();
    });
  }

  #keep(key: string, lines: readonly TokenLine[]): void {
    this.#cache.set(key, lines);
    const oldest = this.#cache.keys().next();
    if (this.#cache.size > CACHE_SIZE && oldest.done !== true) this.#cache.delete(oldest.value);
  }

  #next(): void {
    if (this.#running !== null) return;
    const job = this.#queue.shift();
    if (job === undefined) return;
    this.#running = job;
    const worker = this.#startWorker();
    if (worker === null) {
      highlightIdle(job.code, job.language).then(
        (lines) => this.#finish(job, lines),
        () => this.#finish(job, null),
      );
      return;
    }
    // The first answer waits for the worker and its grammar to load.
    this.#timer = setTimeout(
      () => this.#giveUp(job),
      this.#cache.size === 0 ? 8 * DEADLINE_MS : 2 * DEADLINE_MS,
    );
    worker.postMessage({ id: job.id, code: job.code, language: job.language, deadlineMs: DEADLINE_MS });
  }

  #finish(job: Job, lines: readonly TokenLine[] | null): void {
    if (this.#running !== job) return;
    clearTimeout(this.#timer);
    this.#running = null;
    job.done(lines);
    this.#next();
  }

  /** A grammar that does not come back is stopped with its worker. */
  #giveUp(job: Job): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#finish(job, null);
  }

  #startWorker(): Worker | null {
    if (this.#worker !== null || this.#workerFails || typeof Worker === 'undefined') return this.#worker;
    try {
      const worker = new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }: MessageEvent<HighlightReply>) => {
        if (this.#running?.id === data.id) this.#finish(this.#running, data.lines);
      };
      worker.onerror = () => this.#workerFailed(worker);
      this.#worker = worker;
    } catch {
      // A policy of the page forbids workers: small texts are coloured here instead.
      this.#workerFails = true;
    }
    return this.#worker;
  }

  #workerFailed(worker: Worker): void {
    if (this.#worker !== worker) return;
    worker.terminate();
    this.#worker = null;
    this.#workerFails = true;
    const job = this.#running;
    if (job === null) return;
    clearTimeout(this.#timer);
    this.#running = null;
    this.#queue.unshift(job);
    this.#next();
  }
}

function keyOf(code: string, language: string | undefined): string {
  return `${language ?? ''}\n${code}`;
}

let shared: Highlighter | null = null;

/** The page's highlighter, made on first use. */
export const sharedHighlighter = (): Highlighter => {
  shared ??= new Highlighter();
  return shared;
};

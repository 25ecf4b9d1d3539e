/**
 * One open session, kept in step with its file: a window of the end, then every later record exactly once
 * and in order, then live text in between. What arrives within one frame is folded at once. A record that
 * was seen is dropped by its number, a cursor that no longer fits the file gives a new window, and a lost
 * socket changes nothing here: the client goes on after the last cursor.
 */
import type { TranscriptBlock } from '@skein/core/document/blocks';
import type { LiveTurn } from '@skein/core/document/live-turn';
import type { StrandEvent } from '@skein/core/protocol/events';
import type { StrandSummary, StrandWindow } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import type { StrandState } from '@skein/core/strand/replay';
import { type Problem, problemOf } from '../bridge/problem.ts';
import type { Tracked } from '../bridge/tracked.ts';
import { unwrap } from '../bridge/tracked.ts';
import { isAtWork } from '../state/at-work.ts';
import { createFrameLoop, type FrameLoop } from '../state/frame.ts';
import { createStore, type Readable, type Store } from '../state/store.ts';
import { type Fold, foldEvents, foldOf, prepend, withRunning } from './fold.ts';
import { lineOfItem } from './line-of-item.ts';

export interface StrandView {
  readonly status: 'loading' | 'open' | 'failed';
  /** Of the last window that could not be read; the transcript, if any, stays. */
  readonly problem: Problem | null;
  readonly state: StrandState | null;
  readonly blocks: readonly TranscriptBlock[];
  readonly live: LiveTurn | null;
  readonly summary: StrandSummary | null;
  readonly hasOlder: boolean;
  readonly loadingOlder: boolean;
  /** Grows with each durable record, for what must be asked anew then. */
  readonly records: number;
}

/** The calls a feed makes, so that a test can stand in for the bridge. */
export interface StrandSource {
  window(input: { strand: StrandId; turns: number; before?: number }): Promise<StrandWindow>;
  follow(
    input: { strand: StrandId; after: string },
    handlers: {
      onData: (value: StrandEvent | Tracked<StrandEvent>) => void;
      onError: (error: unknown) => void;
      onComplete: () => void;
    },
  ): { unsubscribe: () => void };
}

const FIRST_TURNS = 20;
const MORE_TURNS = 40;
/** A burst after a long absence is folded in slices of so many events. */
const EVENTS_PER_FRAME = 400;
/** The first wait before a window is read anew; each one without a record in between is twice as long, to a bound. */
const AGAIN_MS = 500;
const AGAIN_MAX_MS = 8000;

const LOADING: StrandView = {
  status: 'loading',
  problem: null,
  state: null,
  blocks: [],
  live: null,
  summary: null,
  hasOlder: false,
  loadingOlder: false,
  records: 0,
};

export class StrandFeed {
  readonly id: StrandId;
  readonly view: Readable<StrandView>;
  readonly #store: Store<StrandView>;
  readonly #source: StrandSource;
  readonly #frames: FrameLoop;
  #fold: Fold | null = null;
  #running = false;
  #before: number | null = null;
  #queue: StrandEvent[] = [];
  #following: { unsubscribe: () => void } | null = null;
  /** Grows with each window; an answer of an older one is dropped. */
  #generation = 0;
  /** Grows when the transcript is replaced: an older stretch belongs before the one it was asked for. */
  #opened = 0;
  #againMs = AGAIN_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(id: StrandId, source: StrandSource, frames: (run: () => void) => FrameLoop = createFrameLoop) {
    this.id = id;
    this.#source = source;
    this.#store = createStore(LOADING);
    this.view = this.#store;
    this.#frames = frames(() => this.#flush());
    this.reload();
  }

  /** Reads the end of the file anew; what is on the screen stays until it is there. */
  readonly reload = (): void => {
    this.#againMs = AGAIN_MS;
    this.#reopen();
  };

  /** The stretch before what is loaded. */
  readonly loadOlder = (): void => {
    const { hasOlder, loadingOlder } = this.#store.get();
    if (!hasOlder || loadingOlder || this.#before === null) return;
    this.#store.update((view) => ({ ...view, loadingOlder: true }));
    const isCurrent = this.#whileOpened();
    this.#readOlder(this.#before, isCurrent).catch((error: unknown) => {
      if (isCurrent())
        this.#store.update((view) => ({ ...view, loadingOlder: false, problem: problemOf(error) }));
    });
  };

  /** What the global stream says about this session. */
  setSummary(summary: StrandSummary): void {
    this.#running = isAtWork(summary);
    if (this.#fold === null) return;
    const next = withRunning(this.#fold, this.#running);
    if (next === this.#fold) return;
    this.#fold = next;
    this.#publish({});
  }

  close(): void {
    this.#closed = true;
    this.#generation += 1;
    clearTimeout(this.#timer);
    this.#frames.stop();
    this.#unfollow();
  }

  #reopen(): void {
    clearTimeout(this.#timer);
    this.#unfollow();
    this.#generation += 1;
    const generation = this.#generation;
    this.#open(generation).catch((error: unknown) => {
      if (generation === this.#generation) this.#fail(error);
    });
  }

  async #open(generation: number): Promise<void> {
    const window = await this.#source.window({ strand: this.id, turns: FIRST_TURNS });
    if (generation !== this.#generation) return;
    this.#opened += 1;
    const lines = window.items.map(lineOfItem);
    this.#before = window.before;
    this.#running = isAtWork(window.summary);
    this.#fold = foldOf({
      lines,
      whole: window.before === null,
      running: this.#running,
      turnsOnPath: window.summary.turns,
      previous: this.#fold?.blocks ?? [],
    });
    // An older stretch that is still on its way belongs to the transcript that was replaced: it will not come.
    this.#publish({ summary: window.summary, problem: null, loadingOlder: false });
    this.#follow(window.cursor, generation);
  }

  #follow(after: string, generation: number): void {
    const current = (act: () => void) => () => {
      if (generation === this.#generation) act();
    };
    this.#following = this.#source.follow(
      { strand: this.id, after },
      {
        onData: (value) => {
          if (generation !== this.#generation) return;
          this.#queue.push(unwrap(value));
          this.#frames.request();
        },
        onError: (error) => current(() => this.#fail(error))(),
        // The bridge ends a stream only after `resync`; a new window is right in any case.
        onComplete: current(() => this.#again()),
      },
    );
  }

  /** Whether the transcript is still the one of now. */
  #whileOpened(): () => boolean {
    const [generation, opened] = [this.#generation, this.#opened];
    return () => generation === this.#generation && opened === this.#opened;
  }

  async #readOlder(before: number, isCurrent: () => boolean): Promise<void> {
    const window = await this.#source.window({ strand: this.id, turns: MORE_TURNS, before });
    if (!isCurrent() || this.#fold === null) return;
    const lines = window.items.map(lineOfItem);
    this.#before = window.before;
    this.#fold = prepend(this.#fold, lines, window.before === null);
    this.#publish({ loadingOlder: false });
  }

  #flush(): void {
    if (this.#closed || this.#fold === null) return;
    const events = this.#queue.splice(0, EVENTS_PER_FRAME);
    if (this.#queue.length > 0) this.#frames.request();
    if (events.some((event) => event.type === 'resync')) {
      this.#again();
      return;
    }
    const next = foldEvents(this.#fold, events);
    if (next === 'gap') {
      this.#again();
      return;
    }
    this.#againMs = AGAIN_MS;
    if (next === this.#fold) return;
    this.#fold = next;
    this.#publish({});
  }

  #publish(change: Partial<StrandView>): void {
    const fold = this.#fold;
    if (fold === null) return;
    this.#store.update((view) => ({
      ...view,
      ...change,
      status: 'open',
      state: fold.state,
      blocks: fold.blocks,
      live: fold.live,
      hasOlder: this.#before !== null,
      records: fold.state.seq,
    }));
  }

  #fail(error: unknown): void {
    const problem = problemOf(error);
    const isOpen = this.#fold !== null;
    this.#store.update((view) => ({
      ...view,
      problem,
      loadingOlder: false,
      status: isOpen ? 'open' : 'failed',
    }));
    // A session that is gone does not come back by asking; the user may still try.
    if (problem.code === 'not_found') this.#leave();
    else if (problem.code === 'offline' || isOpen) this.#again();
  }

  #leave(): void {
    this.#unfollow();
    this.#generation += 1;
    clearTimeout(this.#timer);
  }

  #again(): void {
    this.#leave();
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.#reopen(), this.#againMs);
    this.#againMs = Math.min(this.#againMs * 2, AGAIN_MAX_MS);
  }

  #unfollow(): void {
    this.#queue = [];
    this.#following?.unsubscribe();
    this.#following = null;
  }
}

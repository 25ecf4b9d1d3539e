/**
 * After a turn that went well, the next queued prompt starts by itself. After an interrupt or a failure the
 * queue waits: the user decides whether it still makes sense.
 */
import { isBridgeError } from '@skein/core/protocol/errors';
import type { PromptInput, QueuedPrompt } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';
import type { TurnOutcome } from '@skein/core/record/schema';

export interface DrainQueueDeps {
  /** The first entry, left where it is. */
  readonly first: (strand: StrandId) => Promise<QueuedPrompt | null>;
  /** The bridge ends: what waits goes on waiting. */
  readonly isStopping: () => boolean;
  readonly remove: (strand: StrandId, id: string) => Promise<void>;
  /** Resolves when the prompt is on disk. */
  readonly runTurn: (input: PromptInput) => Promise<unknown>;
  readonly reportFault: (strand: StrandId, error: unknown) => void;
}

export interface DrainQueue {
  afterTurn(strand: StrandId, outcome: TurnOutcome): Promise<void>;
  /** Starts this entry if it is the first: it was queued when no turn's end was left to start it. */
  start(strand: StrandId, id: string): Promise<void>;
}

/** An entry leaves the queue once its prompt is in the strand: a crash in between asks twice, never loses it. */
export const createDrainQueue = (deps: DrainQueueDeps): DrainQueue => {
  const tails = new Map<StrandId, Promise<void>>();
  // One after the other: a turn that ends before its own prompt has left the queue would run it again.
  const inTurn = (strand: StrandId, wanted: (next: QueuedPrompt) => boolean): Promise<void> => {
    const mine = (tails.get(strand) ?? Promise.resolve()).then(() => startFirst(deps, strand, wanted));
    tails.set(strand, mine);
    void mine.then(() => {
      if (tails.get(strand) === mine) tails.delete(strand);
    });
    return mine;
  };
  return {
    afterTurn: async (strand, outcome) => (outcome === 'done' ? inTurn(strand, () => true) : undefined),
    start: (strand, id) => inTurn(strand, (next) => next.id === id),
  };
};

/** Never rejects. */
const startFirst = async (
  deps: DrainQueueDeps,
  strand: StrandId,
  wanted: (next: QueuedPrompt) => boolean,
): Promise<void> => {
  try {
    const next = await deps.first(strand);
    if (next === null || !wanted(next) || deps.isStopping()) return;
    const { text, images, mentions } = next;
    await deps.runTurn({
      strand,
      text,
      images,
      mentions,
      when: 'now',
      by: 'user',
      interactive: true,
    });
    await deps.remove(strand, next.id);
  } catch (error) {
    // The user was faster: the entry waits for the end of what runs now.
    if (isBridgeError(error) && error.code === 'busy') return;
    deps.reportFault(strand, error);
  }
};

/** What the composer's send does: start a turn, speak into the running one, or wait in its queue. */
import type {
  PromptInput,
  PromptToQueue,
  promptOutputSchema,
  QueuedPrompt,
} from '@skein/core/protocol/turns';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { z } from 'zod';
import type { RunningTurn, RunningTurns } from '../agents/running-turns.ts';

export interface SendPromptDeps {
  readonly running: Pick<RunningTurns, 'get'>;
  /** Durable when it resolves. */
  readonly enqueue: (strand: StrandId, prompt: PromptToQueue) => Promise<QueuedPrompt>;
  /** Starts a queued prompt that nobody else will start, when it is the first. Never rejects. */
  readonly startQueued: (strand: StrandId, id: string) => Promise<void>;
  readonly runTurn: (input: PromptInput) => Promise<{ readonly turn: TurnId }>;
}

/** `now` with a running turn is `busy`; `steer` and `queue` without one start a turn. */
export const createSendPrompt =
  (deps: SendPromptDeps) =>
  async (input: PromptInput): Promise<z.infer<typeof promptOutputSchema>> => {
    const holder = deps.running.get(input.strand);
    if (input.when === 'now' || holder === undefined) {
      const { turn } = await deps.runTurn(input);
      return { kind: 'started', turn };
    }
    // The model takes words between two steps; pictures and files come with a prompt of their own.
    const { text, images, mentions } = input;
    const kind = input.when === 'steer' && images.length + mentions.length === 0 ? 'steer' : 'queue';
    const { id } = await deps.enqueue(input.strand, { text, kind, images, mentions });
    void wake(deps, { strand: input.strand, id, holder });
    return { kind: kind === 'steer' ? 'steered' : 'queued', id };
  };

/**
 * A turn's end starts what waits, but it may have come before this prompt was in the queue; and what ran may have been
 * a restore, after which nothing else looks at the queue.
 */
const wake = async (
  deps: SendPromptDeps,
  queued: { readonly strand: StrandId; readonly id: string; readonly holder: RunningTurn },
): Promise<void> => {
  const { strand, id, holder } = queued;
  if (holder.turn === null) {
    await holder.settled;
    // It was a turn after all, whose prompt was not on disk yet: its end has looked at the queue.
    if (holder.turn !== null) return;
  }
  if (deps.running.get(strand) === undefined) await deps.startQueued(strand, id);
};

/** What the composer's send does: start a turn, speak into the running one, or wait in its queue. */
import type {
  PromptInput,
  PromptToQueue,
  promptOutputSchema,
  QueuedPrompt,
} from '@skein/core/protocol/turns';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { z } from 'zod';
import type { RunningTurns } from '../agents/running-turns.ts';

export interface SendPromptDeps {
  readonly running: Pick<RunningTurns, 'get'>;
  /** Durable when it resolves. */
  readonly enqueue: (strand: StrandId, prompt: PromptToQueue) => Promise<QueuedPrompt>;
  readonly runTurn: (input: PromptInput) => Promise<{ readonly turn: TurnId }>;
}

/** `now` with a running turn is `busy`; `steer` and `queue` without one start a turn. */
export const createSendPrompt =
  (deps: SendPromptDeps) =>
  async (input: PromptInput): Promise<z.infer<typeof promptOutputSchema>> => {
    if (input.when === 'now' || deps.running.get(input.strand) === undefined) {
      const { turn } = await deps.runTurn(input);
      return { kind: 'started', turn };
    }
    // The model takes words between two steps; pictures and files come with a prompt of their own.
    const { text, images, mentions } = input;
    const kind = input.when === 'steer' && images.length + mentions.length === 0 ? 'steer' : 'queue';
    const { id } = await deps.enqueue(input.strand, { text, kind, images, mentions });
    return { kind: kind === 'steer' ? 'steered' : 'queued', id };
  };

/**
 * After a turn that went well, the next queued prompt starts by itself. After an interrupt or a failure the
 * queue waits: the user decides whether it still makes sense.
 */
import type { PromptInput, QueuedPrompt } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';
import type { TurnOutcome } from '@skein/core/record/schema';

export interface DrainQueueDeps {
  readonly takeNext: (strand: StrandId) => Promise<QueuedPrompt | null>;
  readonly runTurn: (input: PromptInput) => Promise<unknown>;
  /** Puts a prompt back in front when its turn could not start. */
  readonly putBack: (strand: StrandId, prompt: QueuedPrompt) => Promise<void>;
  readonly reportFault: (strand: StrandId, error: unknown) => void;
}

export const createDrainQueue =
  (deps: DrainQueueDeps) =>
  async (strand: StrandId, outcome: TurnOutcome): Promise<void> => {
    if (outcome !== 'done') return;
    try {
      const next = await deps.takeNext(strand);
      if (next === null) return;
      const { text } = next;
      try {
        await deps.runTurn({
          strand,
          text,
          images: [],
          mentions: [],
          when: 'now',
          by: 'user',
          interactive: true,
        });
      } catch (error) {
        await deps.putBack(strand, next);
        throw error;
      }
    } catch (error) {
      deps.reportFault(strand, error);
    }
  };

/**
 * After a turn that went well, the next queued prompt starts by itself. After an interrupt or a failure the
 * queue waits: the user decides whether it still makes sense.
 */
import type { PromptInput, QueuedPrompt } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';
import type { TurnOutcome } from '@skein/core/record/schema';

export interface DrainQueueDeps {
  /** The first entry, left where it is. */
  readonly first: (strand: StrandId) => Promise<QueuedPrompt | null>;
  readonly remove: (strand: StrandId, id: string) => Promise<void>;
  /** Resolves when the prompt is on disk. */
  readonly runTurn: (input: PromptInput) => Promise<unknown>;
  readonly reportFault: (strand: StrandId, error: unknown) => void;
}

/** An entry leaves the queue once its prompt is in the strand: a crash in between asks twice, never loses it. */
export const createDrainQueue =
  (deps: DrainQueueDeps) =>
  async (strand: StrandId, outcome: TurnOutcome): Promise<void> => {
    if (outcome !== 'done') return;
    try {
      const next = await deps.first(strand);
      if (next === null) return;
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
      deps.reportFault(strand, error);
    }
  };

/**
 * What the user says while a turn runs. Everything waits durably in the queue; what is meant for the running
 * turn is also held here until the driver takes it between two steps.
 */
import type { PromptToQueue, QueuedPrompt } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';
import type { Parts } from './parts.ts';

export interface Steering {
  /** Durable when it resolves. */
  add(strand: StrandId, prompt: PromptToQueue): Promise<QueuedPrompt>;
  /** For the driver: what was said since the last call. */
  take(strand: StrandId): readonly { id: string; text: string }[];
  /** The turn is over: what was not taken stays in the queue as a prompt. */
  forget(strand: StrandId): void;
  edit(strand: StrandId, id: string, text: string | null): Promise<readonly QueuedPrompt[]>;
  remove(strand: StrandId, id: string): Promise<void>;
}

export const createSteering = (parts: Pick<Parts, 'queues' | 'hub' | 'announcements'>): Steering => {
  const steers = new Map<StrandId, readonly { id: string; text: string }[]>();
  const publish = async (strand: StrandId): Promise<void> => {
    parts.hub.global({ type: 'queue', strand, queue: [...(await parts.queues.list(strand))] });
  };
  const self: Steering = {
    async add(strand, prompt) {
      const queued = await parts.queues.add(strand, prompt);
      if (prompt.kind === 'steer') steers.set(strand, [...(steers.get(strand) ?? []), queued]);
      await publish(strand);
      return queued;
    },
    take(strand) {
      const taken = steers.get(strand) ?? [];
      steers.delete(strand);
      for (const { id } of taken)
        self.remove(strand, id).catch((error) => parts.announcements.fault(strand, error));
      return taken;
    },
    forget: (strand) => void steers.delete(strand),
    async edit(strand, id, text) {
      const queue = await parts.queues.edit(strand, id, text);
      const rest = (steers.get(strand) ?? []).flatMap((steer) => {
        if (steer.id !== id) return [steer];
        return text === null ? [] : [{ id, text }];
      });
      steers.set(strand, rest);
      await publish(strand);
      return queue;
    },
    async remove(strand, id) {
      await self.edit(strand, id, null);
    },
  };
  return self;
};

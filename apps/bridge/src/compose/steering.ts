/**
 * What the user says while a turn runs. Everything waits durably in the queue; what is meant for the running
 * turn is also held here until the driver takes it between two steps. It leaves the queue once it is in the strand.
 */
import type { PromptToQueue, QueuedPrompt } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';
import type { RunningTurn } from '../agents/running-turns.ts';
import type { Parts } from './parts.ts';

export interface Steer {
  readonly id: string;
  readonly text: string;
}

export interface Steering {
  /** Durable when it resolves. */
  add(strand: StrandId, prompt: PromptToQueue): Promise<QueuedPrompt>;
  /** For the driver: what was said since the last call of this turn. It stays queued until `remove`. */
  take(strand: StrandId): readonly Steer[];
  edit(strand: StrandId, id: string, text: string | null): Promise<readonly QueuedPrompt[]>;
  remove(strand: StrandId, id: string): Promise<void>;
}

export const createSteering = (
  parts: Pick<Parts, 'queues' | 'hub'> & { readonly running: Pick<Parts['running'], 'get'> },
): Steering => {
  // Bound to the turn, not to the session: the next turn may have what this one did not take as its very prompt.
  const held = new WeakMap<RunningTurn, readonly Steer[]>();
  const publish = async (strand: StrandId): Promise<void> => {
    parts.hub.global({ type: 'queue', strand, queue: [...(await parts.queues.list(strand))] });
  };
  const self: Steering = {
    async add(strand, prompt) {
      const turn = parts.running.get(strand);
      const queued = await parts.queues.add(strand, prompt);
      if (prompt.kind === 'steer' && turn !== undefined) held.set(turn, [...(held.get(turn) ?? []), queued]);
      await publish(strand);
      return queued;
    },
    take(strand) {
      const turn = parts.running.get(strand);
      if (turn === undefined) return [];
      const taken = held.get(turn) ?? [];
      held.delete(turn);
      return taken;
    },
    async edit(strand, id, text) {
      const queue = await parts.queues.edit(strand, id, text);
      const turn = parts.running.get(strand);
      if (turn !== undefined) held.set(turn, edited(held.get(turn) ?? [], id, text));
      await publish(strand);
      return queue;
    },
    async remove(strand, id) {
      await self.edit(strand, id, null);
    },
  };
  return self;
};

const edited = (steers: readonly Steer[], id: string, text: string | null): readonly Steer[] =>
  steers.flatMap((steer) => {
    if (steer.id !== id) return [steer];
    return text === null ? [] : [{ id, text }];
  });

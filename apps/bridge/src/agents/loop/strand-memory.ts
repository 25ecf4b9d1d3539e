/**
 * What an agent remembers of a session between two turns of one process: which files it has seen, and the
 * instructions it was given. Lost with the process: then files are read again.
 */
import type { StrandId } from '@skein/core/record/ids';
import type { ContextMessage } from '@skein/core/strand/context';
import { type InstructionFile, readInstructions } from '../instructions.ts';
import type { WriteGate } from '../ports.ts';
import { createReadTracker, type ReadTracker } from '../tools/read-tracker.ts';

export interface StrandMemory {
  readonly reads: ReadTracker;
  /** Read once per fresh context (requirements 42): at the first turn and after the context was cleared. */
  instructions(turn: {
    readonly context: readonly ContextMessage[];
    readonly gate: WriteGate;
  }): Promise<readonly InstructionFile[]>;
}

export interface StrandMemories {
  of(strand: StrandId, place: { readonly cwd: string; readonly root: string }): StrandMemory;
}

const MAX_STRANDS = 200;

export const createStrandMemories = (personal: () => Promise<string | null>): StrandMemories => {
  const memories = new Map<StrandId, StrandMemory>();
  return {
    of(strand, place) {
      const known = memories.get(strand) ?? openMemory(place, personal);
      // The one that was used last goes to the end: the first is the one to forget.
      memories.delete(strand);
      memories.set(strand, known);
      const [oldest] = memories.keys();
      if (memories.size > MAX_STRANDS && oldest !== undefined) memories.delete(oldest);
      return known;
    },
  };
};

const openMemory = (
  place: { readonly cwd: string; readonly root: string },
  personal: () => Promise<string | null>,
): StrandMemory => {
  let instructions: readonly InstructionFile[] | null = null;
  return {
    reads: createReadTracker(),
    async instructions({ context, gate }) {
      const isFresh = !context.some(({ role }) => role === 'assistant');
      if (instructions === null || isFresh)
        instructions = await readInstructions({ ...place, personal, gate });
      return instructions;
    },
  };
};

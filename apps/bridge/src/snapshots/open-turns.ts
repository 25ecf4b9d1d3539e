/** Turns that are open in this process, by workspace: two sessions in one folder must be kept apart. */
import type { StrandId } from '@skein/core/record/ids';
import type { GateMemory } from './gate-context.ts';

export interface OpenTurns {
  /** The turn is told of every other one that is open in its folder at any time until `end`. */
  begin(root: string, strand: StrandId, memory: GateMemory): void;
  end(root: string, strand: StrandId): void;
  /** What a restore of another session leaves in this folder. */
  of(root: string): readonly GateMemory[];
}

export const createOpenTurns = (): OpenTurns => {
  const roots = new Map<string, Map<StrandId, GateMemory>>();
  return {
    begin(root, strand, memory) {
      const open = roots.get(root) ?? new Map<StrandId, GateMemory>();
      roots.set(root, open);
      // A turn of the same session that was never settled is over: a session has one at a time.
      open.delete(strand);
      for (const other of open.values()) {
        other.others.add(memory);
        memory.others.add(other);
      }
      open.set(strand, memory);
    },
    end(root, strand) {
      const open = roots.get(root);
      open?.delete(strand);
      if (open?.size === 0) roots.delete(root);
    },
    of: (root) => [...(roots.get(root)?.values() ?? [])],
  };
};

/** What one turn's gate knows. The mutable part lives as long as the turn; everything durable is in the journal. */
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { FileState } from '@skein/core/restore/file-state';
import type { Grounds } from './below-root.ts';
import type { StoreContext } from './deps.ts';
import type { Capture, WorkTree } from './trees/types.ts';

export interface GateContext extends Grounds {
  readonly store: StoreContext;
  readonly strand: StrandId;
  readonly turn: TurnId;
  readonly memory: GateMemory;
}

export interface GateMemory {
  /** Per path key: what the last journalled change left, and how many ungated calls had begun by then. */
  readonly last: Map<string, { readonly post: FileState; readonly ungated: number }>;
  /** Calls of ungated tools, in order. */
  readonly ungated: string[];
  /** What a command named and left too full to be listed again: new files in it are not in the journal. */
  readonly unlisted: Set<string>;
  marked: boolean;
  /** Lines of this turn in the journal. */
  journalled: number;
  trees: TurnTrees;
  /** Turns of other sessions that were open in the folder at the same time. */
  readonly others: Set<GateMemory>;
  /** What restores of other sessions left here meanwhile, by path key. */
  readonly restored: Map<string, FileState>;
}

/** The work tree before the first command of the turn. */
export type TurnTrees =
  | { readonly kind: 'not_yet' }
  | {
      readonly kind: 'captured';
      readonly tree: WorkTree;
      readonly capture: Capture;
      readonly journalled: number;
    }
  /** Commands ran without it, for this reason. */
  | { readonly kind: 'without'; readonly reason: string };

export const newMemory = (): GateMemory => ({
  last: new Map(),
  ungated: [],
  unlisted: new Set(),
  marked: false,
  journalled: 0,
  trees: { kind: 'not_yet' },
  others: new Set(),
  restored: new Map(),
});

/** What one turn's gate knows. The mutable part lives as long as the turn; everything durable is in the journal. */
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { FileState } from '@skein/core/restore/file-state';
import type { Grounds } from './below-root.ts';
import type { StoreContext } from './deps.ts';

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
}

export const newMemory = (): GateMemory => ({
  last: new Map(),
  ungated: [],
  unlisted: new Set(),
  marked: false,
});

/**
 * What the fold of a strand knows (DESIGN section 4). Everything else about a strand is a view of this.
 * A node carries what its path adds up to, so that a summary costs nothing however long the path is.
 */

import type { OpId, RecordId, TurnId } from '../record/ids.ts';
import type { DecodedLine } from '../record/line.ts';
import type { RecordOf, RestoreScope, StrandRecord, Usage } from '../record/schema.ts';

/** One line of the file: its 1-based number, bad lines counted, and what it says. */
export interface StrandLine {
  readonly seq: number;
  readonly decoded: DecodedLine;
}

/** A record, known or not, at its place in the tree. */
export interface StrandNode {
  readonly id: RecordId;
  readonly seq: number;
  readonly at: string;
  /** Null for a kind of a newer Skein. */
  readonly record: StrandRecord | null;
  readonly kind: string;
  /** By the rule "a parent that is not earlier reads as the folded tip". Null for the header only. */
  readonly parent: RecordId | null;
  /** Nearest record of a known kind on the way to the header, this one counted. */
  readonly known: RecordId | null;
  /** Prompts and messages on the path from the header to here, this one counted. */
  readonly prompts: number;
  readonly messages: number;
  /** Nearest and first prompt on that path. */
  readonly prompt: RecordId | null;
  readonly firstPrompt: RecordId | null;
  /** Nearest `change` on that path: a chain through all settings. */
  readonly change: RecordId | null;
}

/** The path is not what the writer saw: a line between is missing, or two processes wrote. */
export interface Gap {
  readonly seq: number;
  readonly id: RecordId;
  readonly reason: 'parent_missing' | 'parent_not_tip';
  /** The tip by the fold, which the record should have named. */
  readonly tip: RecordId | null;
  readonly parent: RecordId | null;
}

export interface BadLine {
  readonly seq: number;
  readonly kind: 'torn' | 'corrupt' | 'duplicate';
  readonly reason: string;
  /** A torn tail that was sealed, or a line the user accepted; null: writing is not allowed yet. */
  readonly accepted: 'sealed' | 'user' | null;
  /** With `user`: the sha256 of the line's bytes when it was accepted. */
  readonly sha: string | null;
}

/** One undo, redo or restore that was carried out. */
export interface RestoreOperation {
  readonly record: RecordOf<'restore'>;
  readonly seq: number;
  /** Effective parent: the tip before it. */
  readonly before: RecordId | null;
  /** What no redo took back yet: a redo may take only the files or only the conversation. Null: all of it was. */
  readonly left: RestoreScope | null;
}

export interface Spend {
  readonly usage: Usage | null;
  /** US dollars. */
  readonly cost: number;
}

export interface StrandState {
  /** A suffix of the file: earlier records exist but are not loaded. */
  readonly window: boolean;
  readonly header: RecordOf<'header'> | null;
  readonly tip: RecordId | null;
  /** Last line number read, bad lines counted; 0 before the first. */
  readonly seq: number;
  /** Id of the last whole record in file order, for the cursor. */
  readonly lastId: RecordId | null;
  readonly lastAt: string | null;
  readonly nodes: ReadonlyMap<RecordId, StrandNode>;
  readonly gaps: readonly Gap[];
  readonly bad: readonly BadLine[];
  readonly unknownKinds: ReadonlyMap<string, number>;
  readonly name: string | null;
  readonly archived: boolean;
  readonly pinned: boolean;
  /** Why nothing may be appended, or null. Bad lines are not a reason here: see `unacceptedLines`. */
  readonly readOnly: string | null;
  /** The header is torn or missing. */
  readonly unreadable: boolean;
  readonly restores: readonly RestoreOperation[];
  /** Turns whose files are undone now, with the operation that did it. */
  readonly undone: ReadonlyMap<TurnId, OpId>;
  /** Last `turn` record of each prompt. */
  readonly turnRecords: ReadonlyMap<TurnId, RecordOf<'turn'>>;
  /** The newest prompt of the file when it has no `turn` record yet. */
  readonly openTurn: TurnId | null;
  readonly spend: Spend;
  readonly spendByTurn: ReadonlyMap<TurnId, Spend>;
}

/** Bad lines that stand in the way of writing. */
export const unacceptedLines = (state: StrandState): readonly BadLine[] =>
  state.bad.filter((line) => line.accepted === null);

/** The `seq:recordId` that a subscription goes on from; `seq:-` when the last line is bad. */
export const cursorOf = (state: StrandState): string => {
  const last = state.lastId === null ? undefined : state.nodes.get(state.lastId);
  return `${state.seq}:${last !== undefined && last.seq === state.seq ? last.id : '-'}`;
};

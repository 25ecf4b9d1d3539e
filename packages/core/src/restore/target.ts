/**
 * What undo and redo act on (DESIGN section 5, "Undo" and "Redo"). Decided by the fold alone: the strand's
 * `restore` records are the history, there is no other cursor.
 */
import type { OpId, RecordId, TurnId } from '../record/ids.ts';
import type { RestoreScope } from '../record/schema.ts';
import { inheritedSeq } from '../strand/note.ts';
import { nodesTo } from '../strand/path.ts';
import { promptText } from '../strand/prompts.ts';
import type { RestoreOperation, StrandNode, StrandState } from '../strand/state.ts';

export interface UndoRequest {
  readonly scope: RestoreScope;
  /** This turn instead of the newest; then files only. */
  readonly turn?: TurnId | undefined;
  /** Everything after the end of this turn; then files only. */
  readonly to?: TurnId | undefined;
}

export type UndoRefusal =
  | 'turn_open'
  | 'no_turns'
  | 'no_files' // no turn of the path changed files that are not already undone
  | 'inherited' // the turn was copied from another strand: its files belong there
  | 'already_undone'
  | 'unknown_turn';

export type UndoTarget =
  | {
      readonly kind: 'target';
      readonly turns: readonly TurnId[];
      /** What is left to do: `chat` when the files of the turn are already undone. */
      readonly scope: RestoreScope;
      /** Where the tip goes; null when only files move. */
      readonly to: RecordId | null;
      /** The prompt's text for the composer; null when only files move. */
      readonly draft: string | null;
    }
  | { readonly kind: 'none'; readonly reason: UndoRefusal };

export interface RedoRequest {
  /** This undo instead of the newest. */
  readonly op?: OpId | undefined;
}

export type RedoRefusal =
  | 'turn_open'
  | 'nothing' // every undo was redone, or there was none
  | 'moved_on' // the conversation went on since; `redo --op` brings the files back
  | 'unknown_op'
  | 'already_redone'
  | 'only_files' // the undo holds no conversation, or that came back already
  | 'only_chat';

export type RedoTarget =
  | {
      readonly kind: 'target';
      /** The undo to take back. */
      readonly op: OpId;
      readonly turns: readonly TurnId[];
      readonly scope: RestoreScope;
      readonly to: RecordId | null;
    }
  | { readonly kind: 'none'; readonly reason: RedoRefusal };

/** The turn that an undo of this scope takes back, or why there is none. */
export const undoTarget = (state: StrandState, { scope, turn, to }: UndoRequest): UndoTarget => {
  if (state.openTurn !== null) return none('turn_open');
  if (to !== undefined) return filesSince(state, to);
  if (turn !== undefined) return filesOfTurn(state, turn);
  return scope === 'files' ? newestFiles(state) : newestTurn(state, scope);
};

/** The newest undo that was not redone, or the named one, and what of it is left; or why there is none. */
export const redoTarget = (state: StrandState, { op }: RedoRequest = {}): RedoTarget => {
  if (state.openTurn !== null) return none('turn_open');
  if (op === undefined) {
    const newest = state.restores.findLast((operation) => isUndo(operation) && operation.left !== null);
    if (newest === undefined) return none('nothing');
    return isStillThere(state, newest) ? redoOf(newest, newest.left) : none('moved_on');
  }
  const named = state.restores.find((operation) => operation.record.op === op && isUndo(operation));
  if (named === undefined) return none('unknown_op');
  const { left, record } = named;
  if (left === null) return none('already_redone');
  if (isStillThere(state, named)) return redoOf(named, left);
  if (left !== 'chat') return redoOf(named, 'files');
  return none(record.scope === 'chat' ? 'moved_on' : 'already_redone');
};

function none<Reason extends UndoRefusal | RedoRefusal>(reason: Reason) {
  return { kind: 'none' as const, reason };
}

function newestTurn(state: StrandState, scope: 'chat' | 'both'): UndoTarget {
  const prompt = nodesTo(state, state.tip).findLast((node) => node.prompt === node.id);
  if (prompt === undefined || prompt.parent === null) return none('no_turns');
  const wantsFiles = scope === 'both' && !state.undone.has(prompt.id);
  if (scope === 'both' && isInherited(state, prompt)) return none('inherited');
  const draft = prompt.record?.kind === 'message' ? promptText(prompt.record) : '';
  return {
    kind: 'target',
    turns: [prompt.id],
    scope: wantsFiles ? 'both' : 'chat',
    to: prompt.parent,
    draft,
  };
}

function newestFiles(state: StrandState): UndoTarget {
  const prompt = nodesTo(state, state.tip).findLast(
    (node) => node.prompt === node.id && hasFiles(state, node.id) && !state.undone.has(node.id),
  );
  if (prompt === undefined) return none('no_files');
  return isInherited(state, prompt) ? none('inherited') : filesOnly(prompt.id);
}

function filesOfTurn(state: StrandState, turn: TurnId): UndoTarget {
  const prompt = state.nodes.get(turn);
  if (prompt === undefined || prompt.prompt !== turn) return none('unknown_turn');
  if (isInherited(state, prompt)) return none('inherited');
  if (state.undone.has(turn)) return none('already_undone');
  return hasFiles(state, turn) ? filesOnly(turn) : none('no_files');
}

/** Every later turn of the path that changed files, oldest first, as one. */
function filesSince(state: StrandState, turn: TurnId): UndoTarget {
  const prompts = nodesTo(state, state.tip).filter((node) => node.prompt === node.id);
  const at = prompts.findIndex(({ id }) => id === turn);
  if (at < 0) return none('unknown_turn');
  const later = prompts.slice(at + 1).filter((prompt) => !isInherited(state, prompt));
  const turns = later.map(({ id }) => id).filter((id) => hasFiles(state, id) && !state.undone.has(id));
  return turns.length === 0 ? none('no_files') : filesOnly(...turns);
}

function filesOnly(...turns: readonly TurnId[]): UndoTarget {
  return { kind: 'target', turns, scope: 'files', to: null, draft: null };
}

/** Unattributed changes are listed but never undone by themselves. */
function hasFiles(state: StrandState, turn: TurnId): boolean {
  return state.turnRecords.get(turn)?.files.some(({ by }) => by !== 'unattributed') === true;
}

function isInherited(state: StrandState, prompt: StrandNode): boolean {
  return prompt.seq <= inheritedSeq(state);
}

function isUndo({ record }: RestoreOperation): boolean {
  return record.direction === 'undo';
}

/**
 * Whether the conversation is where the undo left it. An undo of files only left it alone, so there just no
 * newer prompt may follow: that one has built on the files as they are.
 */
function isStillThere(state: StrandState, { record, before, left }: RestoreOperation): boolean {
  if (record.to !== undefined && state.tip === record.to) return true;
  // Its conversation came back already: what is left of it are files.
  if (record.to !== undefined && left !== 'files') return false;
  return promptAt(state, state.tip) === promptAt(state, before);
}

function promptAt(state: StrandState, id: RecordId | null): RecordId | null {
  return id === null ? null : (state.nodes.get(id)?.prompt ?? null);
}

function redoOf({ record, before }: RestoreOperation, scope: RestoreScope | null): RedoTarget {
  if (scope === null) return none('already_redone');
  const turns = 'turns' in record.undoes ? record.undoes.turns : [];
  const to = record.to === undefined || scope === 'files' ? null : before;
  return { kind: 'target', op: record.op, turns, scope, to };
}

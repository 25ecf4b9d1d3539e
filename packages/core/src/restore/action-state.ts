/** What the undo and redo buttons may do now, and if not, why (requirements 120, 169). */
import type { ActionState } from '../protocol/restore.ts';
import type { StrandState } from '../strand/state.ts';
import { type RedoRefusal, redoTarget, type UndoRefusal, undoTarget } from './target.ts';

export interface RestoreConditions {
  /** A turn of this strand, or any capture of its workspace, is unfinished. */
  readonly turnOpen: boolean;
  /** A restore runs in the workspace. */
  readonly restoring: boolean;
}

/** Which of undo and redo is possible now and, where not, why: what buttons and clients go by. */
export const actionStateOf = (state: StrandState, conditions: RestoreConditions): ActionState => {
  const obstacle = obstacleOf(state, conditions);
  const undo = undoTarget(state, { scope: 'both' });
  const redo = redoTarget(state);
  const undoReason = obstacle ?? (undo.kind === 'none' ? REASONS[undo.reason] : null);
  const redoReason = obstacle ?? (redo.kind === 'none' ? REASONS[redo.reason] : null);
  return {
    undo: {
      enabled: undoReason === null,
      reason: undoReason,
      turn: undo.kind === 'target' ? (undo.turns.at(-1) ?? null) : null,
    },
    redo: { enabled: redoReason === null, reason: redoReason, op: redo.kind === 'target' ? redo.op : null },
  };
};

function obstacleOf(state: StrandState, { turnOpen, restoring }: RestoreConditions): string | null {
  if (state.readOnly !== null) return state.readOnly;
  if (turnOpen) return REASONS.turn_open;
  return restoring ? 'Files are being restored in this folder.' : null;
}

/** One sentence for a person; also the message of `nothing_to_undo` and `nothing_to_redo`. */
export const REASONS: Readonly<Record<UndoRefusal | RedoRefusal, string>> = {
  turn_open: 'A turn is running: wait for it or stop it first.',
  no_turns: 'There is no turn to undo.',
  no_files: 'No turn here changed files that are not already undone.',
  inherited: 'This turn was copied from another session: undo its files there.',
  already_undone: 'The files of this turn are already undone.',
  unknown_turn: 'There is no such turn in this session.',
  nothing: 'There is nothing to redo.',
  moved_on: 'The conversation went on since the undo; its files can still be brought back by operation.',
  unknown_op: 'There is no such undo in this session.',
  already_redone: 'This undo was already redone.',
  only_files: 'Only files are left to redo here; the conversation is where it was.',
  only_chat: 'Only the conversation is left to redo here; no file is.',
};

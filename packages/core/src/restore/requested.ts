/** One shape for what an undo or a redo acts on, for the two flows that need it: preview and carry out. */
import { BridgeError } from '../protocol/errors.ts';
import type { RestoreRequest } from '../protocol/restore.ts';
import type { OpId, RecordId, TurnId } from '../record/ids.ts';
import type { PathRef } from '../record/path-ref.ts';
import type { RestoreScope } from '../record/schema.ts';
import { changedPaths } from '../strand/note.ts';
import type { StrandState } from '../strand/state.ts';
import { REASONS } from './action-state.ts';
import { redoTarget, undoTarget } from './target.ts';

export interface RequestedRestore {
  readonly turns: readonly TurnId[];
  /** The undo that a redo takes back; null for an undo. */
  readonly redoes: OpId | null;
  readonly scope: RestoreScope;
  /** Where the tip goes; null when only files move. */
  readonly to: RecordId | null;
  readonly draft: string | null;
  /** What the strand says was changed there; a journal that does not know one of them is not to be trusted. */
  readonly expects: readonly PathRef[];
}

/** Faults: `busy` (a turn is open), `nothing_to_undo`, `nothing_to_redo`, `not_found` (turn, operation). */
export const mustFindRestore = (state: StrandState, request: RestoreRequest): RequestedRestore => {
  // A part of what was done moves no conversation.
  const scope = isPartial(request) ? 'files' : request.scope;
  const target =
    request.direction === 'undo'
      ? undoTarget(state, { scope, turn: request.turn, to: request.to })
      : redoTarget(state, { op: request.op });
  if (target.kind === 'none') throw refusal(request.direction, target.reason);
  const { turns, to } = target;
  if ('op' in target) {
    const wanted = narrow(target.scope, scope);
    const expects = pathsOfUndo(state, target.op);
    return {
      turns,
      redoes: target.op,
      scope: wanted,
      to: wanted === 'files' ? null : to,
      draft: null,
      expects,
    };
  }
  return {
    turns,
    redoes: null,
    scope: target.scope,
    to,
    draft: target.draft,
    expects: turns.flatMap((turn) => pathsOfTurn(state, turn)),
  };
};

/** Chosen paths or hunks only: what it acts on is not taken back as a whole. */
export const isPartial = ({ paths, hunks }: Pick<RestoreRequest, 'paths' | 'hunks'>): boolean =>
  paths !== undefined || hunks !== undefined;

function pathsOfTurn(state: StrandState, turn: TurnId): readonly PathRef[] {
  const files = state.turnRecords.get(turn)?.files ?? [];
  return files.filter(({ by }) => by !== 'unattributed').map(({ path }) => path);
}

function pathsOfUndo(state: StrandState, op: OpId): readonly PathRef[] {
  const undo = state.restores.find(({ record }) => record.op === op);
  return undo === undefined ? [] : changedPaths(undo.record);
}

/** A redo of files and conversation may be asked for only one of them; of what it does not hold nothing is done. */
function narrow(found: RestoreScope, asked: RestoreScope): RestoreScope {
  if (found === 'both') return asked;
  if (asked === 'both' || asked === found) return found;
  throw refusal('redo', found === 'files' ? 'only_files' : 'only_chat');
}

function refusal(direction: 'undo' | 'redo', reason: keyof typeof REASONS): BridgeError {
  const message = REASONS[reason];
  if (reason === 'turn_open') return new BridgeError('busy', message, { data: { holder: 'turn' } });
  if (reason === 'unknown_turn' || reason === 'unknown_op') return new BridgeError('not_found', message);
  return new BridgeError(direction === 'undo' ? 'nothing_to_undo' : 'nothing_to_redo', message, {
    data: { reason },
  });
}

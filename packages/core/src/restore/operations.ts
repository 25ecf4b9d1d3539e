/** The history of undo and redo in a session: derived from the fold, nothing else is kept. */
import type { Operation } from '../protocol/restore.ts';
import type { StrandState } from '../strand/state.ts';

/** Newest first. `left` is what a redo of it would still bring; a redo itself has nothing left. */
export const operationsOf = (state: StrandState): readonly Operation[] =>
  state.restores
    .map(({ record, left }): Operation => {
      const { op, at, direction, scope, undoes, files } = record;
      return {
        op,
        at,
        direction,
        scope,
        turns: 'turns' in undoes ? undoes.turns : turnsOf(state, undoes.op),
        files: files.filter(({ result }) => result === 'done').map(({ path, action }) => ({ path, action })),
        left: direction === 'redo' ? null : left,
      };
    })
    .toReversed();

/** A redo names the undo; that one names the turns. */
function turnsOf(state: StrandState, op: Operation['op']): Operation['turns'] {
  const undone = state.restores.find(({ record }) => record.op === op)?.record.undoes;
  return undone !== undefined && 'turns' in undone ? undone.turns : [];
}

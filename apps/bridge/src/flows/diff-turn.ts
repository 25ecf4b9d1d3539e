/** What a turn, or the whole session, did to files: contents before and after, from the journal. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { TurnDiff } from '@skein/core/protocol/restore';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { StrandState } from '@skein/core/strand/replay';
import { turnsOf } from '@skein/core/strand/turns';
import type { SnapshotStore } from '../snapshots/types.ts';

export interface DiffTurnDeps {
  readonly state: (strand: StrandId) => Promise<StrandState>;
  readonly snapshots: Pick<SnapshotStore, 'turnDiff'>;
}

/** Without a turn: every turn of the path whose files are not undone. Fault `not_found` for an unknown turn. */
export const createDiffTurn =
  (deps: DiffTurnDeps) =>
  async (input: { readonly strand: StrandId; readonly turn?: TurnId | undefined }): Promise<TurnDiff> => {
    const state = await deps.state(input.strand);
    const { header } = state;
    if (header === null) throw new BridgeError('unreadable', 'This session has no readable header.');
    if (input.turn !== undefined && !state.nodes.has(input.turn))
      throw new BridgeError('not_found', 'There is no such turn in this session.', {
        data: { turn: input.turn },
      });
    const turns =
      input.turn === undefined
        ? turnsOf(state)
            .filter(({ undone }) => !undone)
            .map(({ turn }) => turn)
        : [input.turn];
    return deps.snapshots.turnDiff({ strand: input.strand, root: header.repo?.root ?? header.cwd }, turns);
  };

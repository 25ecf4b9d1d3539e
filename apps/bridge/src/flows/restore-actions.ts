/** What the undo and redo buttons may do now, and why not. */
import type { ActionState } from '@skein/core/protocol/restore';
import type { StrandId } from '@skein/core/record/ids';
import { actionStateOf } from '@skein/core/restore/action-state';
import type { StrandState } from '@skein/core/strand/replay';
import type { RunningTurns } from '../agents/running-turns.ts';

export interface RestoreActionsDeps {
  readonly state: (strand: StrandId) => Promise<StrandState>;
  readonly running: Pick<RunningTurns, 'get'>;
}

export const createRestoreActions =
  (deps: RestoreActionsDeps) =>
  async ({ strand }: { readonly strand: StrandId }): Promise<ActionState> => {
    const running = deps.running.get(strand);
    // A restore stands in the list of running turns without a turn of its own.
    const conditions = {
      turnOpen: running !== undefined && running.turn !== null,
      restoring: running?.turn === null,
    };
    return actionStateOf(await deps.state(strand), conditions);
  };

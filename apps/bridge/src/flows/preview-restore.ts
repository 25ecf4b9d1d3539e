/** What an undo or redo would do, without writing anything; its plan hash binds the apply to what was seen. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { RestoreRequest, RestoreResult } from '@skein/core/protocol/restore';
import type { OpId, StrandId } from '@skein/core/record/ids';
import { withLaterTurns } from '@skein/core/restore/later-turns';
import { coverageNotice, withNotice } from '@skein/core/restore/notice';
import { mustFindRestore } from '@skein/core/restore/requested';
import type { StrandState } from '@skein/core/strand/replay';
import type { RunningTurns } from '../agents/running-turns.ts';
import type { SnapshotStore } from '../snapshots/types.ts';

export interface PreviewRestoreDeps {
  readonly state: (strand: StrandId) => Promise<StrandState>;
  readonly running: Pick<RunningTurns, 'get'>;
  readonly snapshots: Pick<SnapshotStore, 'plan' | 'unsettled'>;
  readonly newOpId: () => OpId;
}

const CUT_OFF =
  'An undo or redo of this session was cut off. It is finished first, and this preview is then made anew.';

/** Faults: `busy`, `nothing_to_undo`, `nothing_to_redo`, `not_found`. A conflict is part of the result. */
export const createPreviewRestore =
  (deps: PreviewRestoreDeps) =>
  async (request: RestoreRequest): Promise<RestoreResult> => {
    if (deps.running.get(request.strand) !== undefined)
      throw new BridgeError('busy', 'A turn is running: wait for it or stop it first.', {
        data: { holder: 'turn' },
      });
    const state = await deps.state(request.strand);
    const { header } = state;
    if (header === null) throw new BridgeError('unreadable', 'This session has no readable header.');
    const { turns, redoes, scope, draft, expects } = mustFindRestore(state, request);
    const workspace = { strand: request.strand, root: header.repo?.root ?? header.cwd };
    const target = { turns, redoes, op: deps.newOpId(), expects };
    const result = await deps.snapshots.plan(workspace, { ...request, scope }, target);
    const isCutOff = (await deps.snapshots.unsettled()).includes(request.strand);
    const told = withLaterTurns(result, state, turns);
    const noticed = withNotice(told, isCutOff ? CUT_OFF : coverageNotice(state, turns));
    return draft === null ? noticed : { ...noticed, draft };
  };

/**
 * What a crash left is settled before anything else happens in a session: open restores first, since they
 * decide what is on disk, then the open turn. Runs under the strand's lease, each time a strand is opened.
 */
import type { RecoveryReport } from '@skein/core/protocol/restore';
import type { StrandId } from '@skein/core/record/ids';
import { closingRecords } from '@skein/core/strand/close-open-turn';
import type { SnapshotStore } from '../snapshots/types.ts';
import type { StrandWriter } from '../strands/types.ts';

export interface RecoverDeps {
  readonly snapshots: Pick<SnapshotStore, 'recover' | 'settleFromJournal'>;
  readonly report: (report: RecoveryReport) => void;
  readonly grew: (strand: StrandId) => void;
}

/** Faults pass through: a strand that cannot be settled is not given out for writing. */
export const createRecover =
  (deps: RecoverDeps) =>
  async (writer: StrandWriter): Promise<void> => {
    const { header } = writer.state;
    if (header === null) return;
    const workspace = { strand: writer.id, root: header.repo?.root ?? header.cwd };
    const before = writer.state.seq;
    const reports = await deps.snapshots.recover(workspace, {
      isRecorded: (op) => writer.state.restores.some(({ record }) => record.op === op),
      commit: async ({ body }) => {
        await writer.append([body], { durable: true });
      },
    });
    for (const report of reports) deps.report(report);
    const open = writer.state.openTurn;
    if (open !== null) {
      const settled = await deps.snapshots.settleFromJournal(workspace, open);
      await writer.append(closingRecords(writer.state, settled), { durable: true });
    }
    if (writer.state.seq !== before) deps.grew(writer.id);
  };

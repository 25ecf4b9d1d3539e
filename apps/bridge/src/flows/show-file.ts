/** A file as it was at a record of a session: `skein cat`. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { FileAt } from '@skein/core/protocol/restore';
import type { RecordId, StrandId } from '@skein/core/record/ids';
import type { StrandState } from '@skein/core/strand/replay';
import type { SnapshotStore } from '../snapshots/types.ts';

export interface ShowFileDeps {
  readonly state: (strand: StrandId) => Promise<StrandState>;
  readonly snapshots: Pick<SnapshotStore, 'fileAt'>;
}

/** Faults: `not_found` (record, path), `unreadable` (the version is lost), `io`. */
export const createShowFile =
  (deps: ShowFileDeps) =>
  async (input: {
    readonly strand: StrandId;
    readonly path: string;
    readonly at: RecordId;
  }): Promise<FileAt> => {
    const state = await deps.state(input.strand);
    const { header } = state;
    if (header === null) throw new BridgeError('unreadable', 'This session has no readable header.');
    const at = state.nodes.get(input.at)?.at;
    if (at === undefined)
      throw new BridgeError('not_found', 'There is no such record in this session.', {
        data: { record: input.at },
      });
    // A turn counts as a whole: its prompt stands for what it left.
    const end = state.turnRecords.get(input.at)?.at ?? at;
    const workspace = { strand: input.strand, root: header.repo?.root ?? header.cwd };
    return deps.snapshots.fileAt(workspace, input.path, end);
  };

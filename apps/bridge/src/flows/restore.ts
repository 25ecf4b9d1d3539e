/**
 * Undo and redo, carried out. The strand's lease is held from the decision to the record, so that what is
 * restored is what the history says; files and conversation move together in one `restore` record.
 */
import { BridgeError, type ErrorCode, isBridgeError } from '@skein/core/protocol/errors';
import type { ApplyRequest, RestoreResult } from '@skein/core/protocol/restore';
import type { OpId, StrandId } from '@skein/core/record/ids';
import type { RecordBody } from '@skein/core/record/schema';
import { withLaterTurns } from '@skein/core/restore/later-turns';
import { coverageNotice, withNotice } from '@skein/core/restore/notice';
import { isPartial, mustFindRestore, type RequestedRestore } from '@skein/core/restore/requested';
import type { StrandState } from '@skein/core/strand/replay';
import type { RunningTurns } from '../agents/running-turns.ts';
import type { EventHub } from '../events/types.ts';
import type { SnapshotStore } from '../snapshots/types.ts';
import type { StrandWriter } from '../strands/types.ts';
import type { WriterPool } from '../strands/writer-pool.ts';

export interface RestoreDeps {
  readonly pool: Pick<WriterPool, 'use' | 'discard'>;
  readonly state: (strand: StrandId) => Promise<StrandState>;
  /** Takes the turn's place while a restore runs, so that no prompt starts in between. */
  readonly running: Pick<RunningTurns, 'begin'>;
  readonly snapshots: Pick<SnapshotStore, 'apply'>;
  readonly hub: Pick<EventHub, 'strandGrew'>;
  readonly newOpId: () => OpId;
  readonly announce: (strand: StrandId) => void;
  readonly reportFault: (strand: StrandId, error: unknown) => void;
}

/**
 * Resolves when files and record are on disk. With conflicts: `applied: false` and nothing was written.
 * Faults: `busy`, `stale_plan`, `nothing_to_undo`, `nothing_to_redo`, `not_found`, `held`, `read_only`, `io`.
 */
export const createRestore =
  (deps: RestoreDeps) =>
  async (request: ApplyRequest): Promise<RestoreResult> => {
    const begun = deps.running.begin(request.strand);
    if (begun === null)
      throw new BridgeError('busy', 'A turn is running: wait for it or stop it first.', {
        data: { holder: 'turn' },
      });
    try {
      const seen = (await deps.state(request.strand)).restores.length;
      return await deps.pool.use(request.strand, (writer) => {
        mustBeAsSeen(writer, seen);
        return carryOut(deps, request, writer);
      });
    } catch (error) {
      // The files may be back while the record is not: the next opening finds the intent and finishes it.
      if (!isBridgeError(error) || AFTER_THE_INTENT.has(error.code))
        await deps.pool.discard(request.strand).catch((cause) => deps.reportFault(request.strand, cause));
      throw error;
    } finally {
      begun.finish();
      deps.announce(request.strand);
    }
  };

/** Opening a session finishes a restore that a crash cut off: then "the newest" is no longer what the user meant. */
const mustBeAsSeen = (writer: StrandWriter, restores: number): void => {
  if (writer.state.restores.length === restores) return;
  throw new BridgeError(
    'stale_plan',
    'An undo or redo that was cut off earlier was finished just now, and nothing else was done. Look at what is there.',
  );
};

/** Faults of the log or the disk, in which the restore may have begun. */
const AFTER_THE_INTENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['io', 'held', 'internal']);

const carryOut = async (
  deps: RestoreDeps,
  request: ApplyRequest,
  writer: StrandWriter,
): Promise<RestoreResult> => {
  const { header } = writer.state;
  if (header === null) throw new BridgeError('unreadable', 'This session has no readable header.');
  const found = mustFindRestore(writer.state, request);
  const workspace = { strand: writer.id, root: header.repo?.root ?? header.cwd };
  const op = deps.newOpId();
  const { turns, redoes, scope, to, draft, expects } = found;
  const result = await deps.snapshots.apply(
    workspace,
    { ...request, scope },
    { turns, redoes, op, to, expects },
    async (files) => {
      const partial = isPartial(request) ? true : undefined;
      const body = recordOf(found, { op, direction: request.direction, files, partial });
      await writer.append([body], { durable: true });
      deps.hub.strandGrew(writer.id);
    },
  );
  const told = withLaterTurns(result, writer.state, turns);
  const noticed = withNotice(told, coverageNotice(writer.state, turns));
  return draft === null || !result.applied ? noticed : { ...noticed, draft };
};

type RestoreBody = Extract<RecordBody, { kind: 'restore' }>;

const recordOf = (
  { turns, redoes, scope, to }: RequestedRestore,
  { op, direction, files, partial }: Pick<RestoreBody, 'op' | 'direction' | 'files' | 'partial'>,
): RecordBody => ({
  kind: 'restore',
  op,
  undoes: redoes === null ? { turns: [...turns] } : { op: redoes },
  direction,
  scope,
  files,
  to: to ?? undefined,
  partial,
});

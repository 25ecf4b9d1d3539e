/** What pages hear outside their tabs: a session's row, notices, recoveries. Keeps the last few of each. */

import { BridgeError, isBridgeError } from '@skein/core/protocol/errors';
import type { Notice } from '@skein/core/protocol/events';
import type { RecoveryReport } from '@skein/core/protocol/restore';
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import { summaryOf } from '@skein/core/strand/summary';
import type { RunningTurns } from '../agents/running-turns.ts';
import type { EventHub } from '../events/types.ts';
import type { StrandStore } from '../strands/types.ts';
import type { WriterPool } from '../strands/writer-pool.ts';

const KEPT = 50;

export interface Announcements {
  /** Sends the session's row to every page; called often, so several within one tick become one. */
  strand(id: StrandId): void;
  /** The row as of now. Fault `not_found`. */
  summary(id: StrandId): Promise<StrandSummary>;
  /** All rows, newest first. */
  summaries(): Promise<readonly StrandSummary[]>;
  notice(notice: Omit<Notice, 'id'>): void;
  fault(strand: StrandId | null, error: unknown): void;
  /** A file of ours could not be read at the start and lies under this name now. */
  damaged(aside: string): void;
  recovery(report: RecoveryReport): void;
  notices(): readonly Notice[];
  recoveries(): readonly RecoveryReport[];
}

export interface AnnouncementDeps {
  readonly hub: Pick<EventHub, 'global'>;
  readonly store: Pick<StrandStore, 'summary' | 'list'>;
  readonly peek: WriterPool['peek'];
  readonly running: Pick<RunningTurns, 'overlay'>;
  /** Another living process has that session's lease: a turn without an end is at work there, not cut off. */
  readonly heldElsewhere: (id: StrandId) => boolean;
  readonly newId: () => string;
  readonly log: (error: unknown) => void;
}

export const createAnnouncements = (deps: AnnouncementDeps): Announcements => {
  const notices: Notice[] = [];
  const recoveries: RecoveryReport[] = [];
  const pending = new Set<StrandId>();

  const cutOff = createCutOff(deps.heldElsewhere);
  /** A row as everybody sees it: our own writer knows best, then the file; what goes on right now is laid over it. */
  const rowOf = (id: StrandId, stored: StrandSummary | null): StrandSummary | null => {
    const writer = deps.peek(id);
    if (writer !== undefined) return deps.running.overlay(summaryOf(writer.shownState, { id }));
    if (stored === null) return null;
    const isAtWork = stored.state === 'interrupted' && !cutOff(stored);
    return deps.running.overlay(isAtWork ? { ...stored, state: 'running' } : stored);
  };
  const find = async (id: StrandId): Promise<StrandSummary | null> =>
    rowOf(id, deps.peek(id) === undefined ? await deps.store.summary(id) : null);
  const send = async (id: StrandId): Promise<void> => {
    const summary = await find(id);
    deps.hub.global(summary === null ? { type: 'strand_gone', id } : { type: 'strand', summary });
  };
  const self: Announcements = {
    strand(id) {
      if (pending.has(id)) return;
      pending.add(id);
      setImmediate(() => {
        pending.delete(id);
        send(id).catch(deps.log);
      });
    },
    async summary(id) {
      const summary = await find(id);
      if (summary === null)
        throw new BridgeError('not_found', 'There is no such session.', { data: { strand: id } });
      return summary;
    },
    async summaries() {
      const stored = await deps.store.list();
      const rows = stored.map((summary) => rowOf(summary.id, summary) ?? summary);
      return rows.sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
    },
    notice(notice) {
      const full = { ...notice, id: deps.newId() };
      notices.push(full);
      if (notices.length > KEPT) notices.shift();
      deps.hub.global({ type: 'notice', notice: full });
    },
    fault(strand, error) {
      deps.log(error);
      const message = isBridgeError(error)
        ? error.message
        : 'Something failed inside the bridge; the log has the details.';
      self.notice({ level: 'error', message, strand });
    },
    damaged(aside) {
      const message = `A file of Skein's was damaged, so what it held is missing; it was put aside as ${aside}.`;
      deps.log(new BridgeError('unreadable', message, { data: { path: aside } }));
      self.notice({ level: 'warn', message, strand: null });
    },
    recovery(report) {
      recoveries.push(report);
      if (recoveries.length > KEPT) recoveries.shift();
      deps.hub.global({ type: 'recovery', report });
    },
    notices: () => notices,
    recoveries: () => recoveries,
  };
  return self;
};

/**
 * Whether an open turn was cut off. Asking means reading a lease, so a no is kept as long as the store gives the
 * same row, that is while the file stays as it is: whoever takes the lease settles the turn first, which changes
 * it. A yes is asked again each time: its process may die without a trace.
 */
const createCutOff = (heldElsewhere: AnnouncementDeps['heldElsewhere']) => {
  const known = new WeakSet<StrandSummary>();
  return (row: StrandSummary): boolean => {
    if (known.has(row)) return true;
    if (heldElsewhere(row.id)) return false;
    known.add(row);
    return true;
  };
};

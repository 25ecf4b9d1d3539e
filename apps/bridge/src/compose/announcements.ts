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

  const elsewhere = (summary: StrandSummary): StrandSummary =>
    summary.state === 'interrupted' && deps.heldElsewhere(summary.id)
      ? { ...summary, state: 'running' }
      : summary;
  const live = (summary: StrandSummary): StrandSummary => {
    const writer = deps.peek(summary.id);
    return deps.running.overlay(
      writer === undefined ? elsewhere(summary) : summaryOf(writer.state, { id: summary.id }),
    );
  };
  const find = async (id: StrandId): Promise<StrandSummary | null> => {
    const writer = deps.peek(id);
    if (writer !== undefined) return deps.running.overlay(summaryOf(writer.state, { id }));
    const summary = await deps.store.summary(id);
    return summary === null ? null : deps.running.overlay(elsewhere(summary));
  };
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
      const rows = (await deps.store.list()).map(live);
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

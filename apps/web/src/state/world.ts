/**
 * What the page knows beside its transcripts: sessions, questions, queues, jobs, tabs. A fold over the
 * global stream: one snapshot after each connect, then changes; a change may repeat what the snapshot said.
 */
import type { GlobalEvent, Job, Notice, PageState } from '@skein/core/protocol/events';
import type { RecoveryReport } from '@skein/core/protocol/restore';
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { PermissionRequest, QueuedPrompt } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';

export interface World {
  /** False until the first snapshot. */
  readonly ready: boolean;
  readonly strands: ReadonlyMap<StrandId, StrandSummary>;
  /** Oldest first. */
  readonly permissions: readonly PermissionRequest[];
  readonly queues: Readonly<Record<string, readonly QueuedPrompt[]>>;
  readonly jobs: readonly Job[];
  readonly page: PageState;
  readonly recoveries: readonly RecoveryReport[];
  readonly notices: readonly Notice[];
  /** Grows when settings changed, in this window or elsewhere. */
  readonly settingsRev: number;
}

export const EMPTY_WORLD: World = {
  ready: false,
  strands: new Map(),
  permissions: [],
  queues: {},
  jobs: [],
  page: { rev: 0, tabs: [], drafts: {} },
  recoveries: [],
  notices: [],
  settingsRev: 0,
};

/** Several events at once, so that a burst copies the big map once. */
export function applyGlobalEvents(world: World, events: readonly GlobalEvent[]): World {
  const draft: Draft = { ...world, changed: null };
  for (const event of events) applyTo(draft, event);
  const { changed, ...rest } = draft;
  return changed === null ? rest : { ...rest, strands: changed };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Draft = Writable<World> & { changed: Map<StrandId, StrandSummary> | null };

function applyTo(draft: Draft, event: GlobalEvent): void {
  switch (event.type) {
    case 'snapshot':
      applySnapshot(draft, event.snapshot);
      return;
    case 'strand':
      writable(draft).set(event.summary.id, event.summary);
      return;
    case 'strand_gone':
      writable(draft).delete(event.id);
      return;
    case 'permission':
      draft.permissions = sortByTime([...without(draft.permissions, event.request.id), event.request]);
      return;
    case 'permission_closed':
      draft.permissions = without(draft.permissions, event.id);
      return;
    case 'queue':
      draft.queues = { ...draft.queues, [event.strand]: event.queue };
      return;
    case 'job':
      draft.jobs = [...without(draft.jobs, event.job.id), event.job];
      return;
    case 'page':
      if (event.page.rev >= draft.page.rev) draft.page = event.page;
      return;
    case 'recovery':
      draft.recoveries = [...draft.recoveries, event.report];
      return;
    case 'notice':
      draft.notices = [...without(draft.notices, event.notice.id), event.notice].slice(-50);
      return;
    case 'settings':
      draft.settingsRev += 1;
      return;
  }
}

function applySnapshot(draft: Draft, snapshot: Extract<GlobalEvent, { type: 'snapshot' }>['snapshot']): void {
  draft.ready = true;
  draft.changed = new Map(snapshot.strands.map((summary) => [summary.id, summary]));
  draft.permissions = sortByTime(snapshot.permissions);
  draft.queues = snapshot.queues;
  draft.jobs = snapshot.jobs;
  // A restarted bridge counts from the file, so its word stands even when the number is lower.
  draft.page = snapshot.page;
  draft.recoveries = snapshot.recoveries;
  draft.notices = snapshot.notices;
  draft.settingsRev += 1;
}

function writable(draft: Draft): Map<StrandId, StrandSummary> {
  draft.changed ??= new Map(draft.strands);
  return draft.changed;
}

function without<T extends { readonly id: string }>(items: readonly T[], id: string): readonly T[] {
  return items.filter((item) => item.id !== id);
}

function sortByTime(requests: readonly PermissionRequest[]): readonly PermissionRequest[] {
  return requests.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

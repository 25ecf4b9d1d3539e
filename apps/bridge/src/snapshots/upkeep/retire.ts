/** Gives up what is too old, what is too much, and what the disk has no room for. */
import type { JournalEntry } from '@skein/core/restore/journal-entry';
import {
  type ExpiryReason,
  isExpired,
  missingBytes,
  partsToGiveUp,
  type RetentionLimits,
  type SavedPart,
} from '@skein/core/restore/retention';
import { freeBytes } from '../../platform/disk-space.ts';
import { listBlobs } from '../../platform/tree-files-blob-sweep.ts';
import { type Expired, expire } from './expire.ts';
import { partsOfJournal } from './journals.ts';
import { blobsIn, lastUse, type SurveyedJournal } from './survey.ts';
import type { UpkeepDeps } from './types.ts';

export interface Retired {
  readonly turns: number;
  /** Sessions that should have been seen to, but somebody uses them. */
  readonly inUse: number;
  readonly stores: ReadonlySet<string>;
}

/** A session whose fault keeps it from being seen to is reported; the others are. */
export const createRetirement = (deps: UpkeepDeps) => {
  let turns = 0;
  const inUse = new Set<string>();
  const stores = new Set<string>();
  const retire = async (expiry: Parameters<typeof expire>[1]): Promise<Expired | null> => {
    try {
      const expired = await expire(deps, expiry);
      turns += expired.turns;
      if (expired.inUse) inUse.add(expiry.strand);
      for (const key of expired.stores) stores.add(key);
      return expired;
    } catch (error) {
      deps.onFault(error);
      return null;
    }
  };
  return { retire, retired: (): Retired => ({ turns, inUse: inUse.size, stores }) };
};
export type Retire = ReturnType<typeof createRetirement>['retire'];

/** Sessions that nobody used for the time of retention. */
export const retireOld = async (
  deps: UpkeepDeps,
  retire: Retire,
  { journals, limits }: { readonly journals: readonly SurveyedJournal[]; readonly limits: RetentionLimits },
): Promise<void> => {
  const { retentionDays } = limits;
  for (const { strand, entries, usedAtMs, mtimeMs, session } of journals) {
    if (session !== 'there' || !isExpired(usedAtMs, deps.clock.nowMs(), retentionDays)) continue;
    if (partsOfJournal(strand, entries).length === 0) continue;
    // Somebody may have used it since it was surveyed, and be done already.
    const isStillDue = async (now: readonly JournalEntry[]): Promise<boolean> => {
      const used = lastUse(now, await deps.lastWritten(strand), mtimeMs);
      return isExpired(used, deps.clock.nowMs(), retentionDays);
    };
    const days = retentionDays === 'forever' ? null : retentionDays;
    await retire({ strand, ids: 'all', reason: 'age', days, isStillDue });
  }
};

/** The oldest turns while the saved versions are over their limit, or the disk under its floor. */
export const retireExcess = async (
  deps: UpkeepDeps,
  retire: Retire,
  { journals, limits }: { readonly journals: readonly SurveyedJournal[]; readonly limits: RetentionLimits },
): Promise<void> => {
  const parts = journals.flatMap(({ strand, entries }) => partsOfJournal(strand, entries));
  const needed = new Set(parts.flatMap(({ blobs }) => blobs));
  const bytesOf = new Map<string, number>();
  for await (const { sha256, bytes } of listBlobs(blobsIn(deps)))
    if (needed.has(sha256)) bytesOf.set(sha256, bytes);
  const total = [...bytesOf.values()].reduce((sum, bytes) => sum + bytes, 0);
  const wantedBytes = missingBytes(await freeBytes(deps.dataDir), limits);
  const { maxBytes } = limits;
  const given = partsToGiveUp(parts, {
    bytesOf,
    pinned: new Set(),
    maxBytes,
    wantedBytes,
    nowMs: deps.clock.nowMs(),
  });
  await retireParts(retire, given, total > maxBytes ? 'size' : 'space');
};

export const retireParts = async (
  retire: Retire,
  parts: readonly SavedPart[],
  reason: ExpiryReason,
): Promise<void> => {
  for (const [strand, of] of Map.groupBy(parts, (part) => part.strand)) {
    await retire({ strand, ids: new Set(of.map(({ id }) => id)), reason, days: null });
  }
};

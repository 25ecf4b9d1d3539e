/**
 * Takes turns and restores out of one session's journal, under its lease. A session that somebody uses, or in which a
 * crash left something open, is not touched: that is asked when the lease is held, right before the change.
 */

import { join } from 'node:path';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { JournalEntry } from '@skein/core/restore/journal-entry';
import type { ExpiryReason } from '@skein/core/restore/retention';
import { readFileIfThere, statIfThere, writeFileAtomic } from '../../platform/files.ts';
import { type JournalText, parseJournal } from '../journal-lines.ts';
import { openIntents } from '../open-intents.ts';
import { compactJournal } from './compact-journal.ts';
import { turnsInStores } from './journals.ts';
import type { UpkeepDeps } from './types.ts';

export interface Expiry {
  readonly strand: StrandId;
  /** Turns and operations, or all there are. */
  readonly ids: ReadonlySet<string> | 'all';
  readonly reason: ExpiryReason;
  readonly days: number | null;
  /** Asked once more with what the journal holds when nobody else can write it. */
  readonly isStillDue?: ((entries: readonly JournalEntry[]) => Promise<boolean>) | undefined;
}

export interface Expired {
  /** How many turns cannot be undone any more. */
  readonly turns: number;
  /** Stores that have less to keep. */
  readonly stores: readonly string[];
  readonly inUse: boolean;
}

const NOTHING: Expired = { turns: 0, stores: [], inUse: false };

/** The new journal is on disk when it resolves. Faults: `io`, those of the store; then the journal is as it was. */
export const expire = async (deps: UpkeepDeps, expiry: Expiry): Promise<Expired> => {
  let expired: Expired = { ...NOTHING, inUse: true };
  await deps.withLease(expiry.strand, async () => {
    expired = await expireLeased(deps, expiry);
  });
  return expired;
};

async function expireLeased(deps: UpkeepDeps, expiry: Expiry): Promise<Expired> {
  const { strand, reason, days } = expiry;
  const dir = join(deps.dataDir, 'snapshots', 'journals');
  const path = join(dir, `${strand}.jsonl`);
  const bytes = await readFileIfThere(path);
  if (bytes === null) return NOTHING;
  if ((await statIfThere(join(dir, `${strand}.open`))) !== null) return { ...NOTHING, inUse: true };
  const journal = parseJournal(bytes);
  if (openIntents(journal.entries).length > 0) return { ...NOTHING, inUse: true };
  if (expiry.isStillDue !== undefined && !(await expiry.isStillDue(journal.entries))) return NOTHING;
  const ids = await idsToDrop(deps, journal, expiry);
  const everything = expiry.ids === 'all' && idsIn(journal.entries).every((id) => ids.has(id));
  if (ids.size === 0) return NOTHING;
  const stores = await release(deps, { strand, ids, entries: journal.entries });
  const envelope = { id: deps.newRecordId(), at: deps.clock.nowIso() };
  await writeFileAtomic(path, compactJournal(bytes, { ids, everything, reason, days, envelope }));
  return { turns: turnsOf(journal.entries, ids).size, stores, inUse: false };
}

/**
 * Beside a damaged line the turns it may belong to stay, unless all go: without them it would seem to belong to others.
 */
async function idsToDrop(
  deps: UpkeepDeps,
  { entries, bad }: JournalText,
  { ids }: Expiry,
): Promise<ReadonlySet<string>> {
  const kept = new Set<string>(ids === 'all' ? [] : bad.flatMap(({ touches }) => [...touches]));
  for (const [key, turns] of turnsInStores(entries)) {
    if (!(await deps.trees.mayRelease(key))) for (const turn of turns) kept.add(turn);
  }
  const wanted = idsIn(entries).filter((id) => ids === 'all' || ids.has(id));
  return new Set(wanted.filter((id) => !kept.has(id)));
}

/** First what a store keeps for them, then the lines: a crash in between leaves lines, and the next upkeep comes again. */
async function release(
  deps: UpkeepDeps,
  {
    strand,
    ids,
    entries,
  }: {
    readonly strand: StrandId;
    readonly ids: ReadonlySet<string>;
    readonly entries: readonly JournalEntry[];
  },
): Promise<readonly string[]> {
  const touched: string[] = [];
  for (const [key, turns] of turnsInStores(entries)) {
    const going = [...turns].filter((turn) => ids.has(turn));
    if (going.length === 0) continue;
    await deps.trees.release(key, strand, going);
    touched.push(key);
  }
  return touched;
}

const idsIn = (entries: readonly JournalEntry[]): readonly string[] =>
  entries.flatMap((entry): readonly string[] => {
    if (entry.kind === 'expired') return [];
    return entry.kind === 'mutation' ? [entry.turn] : [entry.op];
  });

const turnsOf = (entries: readonly JournalEntry[], ids: ReadonlySet<string>): ReadonlySet<TurnId> =>
  new Set(entries.flatMap((entry) => (entry.kind === 'mutation' && ids.has(entry.turn) ? [entry.turn] : [])));

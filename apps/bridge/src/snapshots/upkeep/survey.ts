/** What lies there before an upkeep decides anything: every journal, read once, and when its session was last used. */
import { join } from 'node:path';
import type { StrandId } from '@skein/core/record/ids';
import type { JournalEntry } from '@skein/core/restore/journal-entry';
import { readFileIfThere } from '../../platform/files.ts';
import { parseJournal } from '../journal-lines.ts';
import { type JournalFile, listJournals, newestLine } from './journals.ts';
import type { UpkeepDeps } from './types.ts';

export interface SurveyedJournal extends JournalFile {
  readonly entries: readonly JournalEntry[];
  /** The newer of what the journal says and when the session's file was written, ms. */
  readonly usedAtMs: number;
  /** `unknown`: nobody can tell when it was last used, so that nothing of it is old. */
  readonly session: 'there' | 'gone' | 'unknown';
}

export const journalsIn = (deps: Pick<UpkeepDeps, 'dataDir'>): string =>
  join(deps.dataDir, 'snapshots', 'journals');

export const blobsIn = (deps: Pick<UpkeepDeps, 'dataDir'>): string =>
  join(deps.dataDir, 'snapshots', 'blobs');

export const trashIn = (deps: Pick<UpkeepDeps, 'dataDir'>): string => join(deps.dataDir, 'trash');

/** Fault `io`. A journal whose lines tell no time is as old as its file. */
export const surveyJournals = async (deps: UpkeepDeps): Promise<readonly SurveyedJournal[]> => {
  const sessions = await deps.sessions();
  const surveyed: SurveyedJournal[] = [];
  for (const file of await listJournals(journalsIn(deps))) {
    const { entries } = parseJournal((await readFileIfThere(file.path)) ?? new Uint8Array());
    const usedAtMs = lastUse(entries, sessions?.get(file.strand) ?? null, file.mtimeMs);
    surveyed.push({ ...file, entries, usedAtMs, session: sessionOf(sessions, file.strand) });
  }
  return surveyed;
};

/** Without a single session file there, something else is wrong: a disk that is not mounted, a folder moved away. */
function sessionOf(
  sessions: ReadonlyMap<StrandId, number> | null,
  strand: StrandId,
): SurveyedJournal['session'] {
  if (sessions === null || sessions.size === 0) return 'unknown';
  return sessions.has(strand) ? 'there' : 'gone';
}

/** An upkeep writes journals too, so that the time of their file counts only where nothing else is known. */
export const lastUse = (
  entries: readonly JournalEntry[],
  sessionMs: number | null,
  journalMs: number,
): number => {
  const used = entries.filter(({ kind }) => kind !== 'expired');
  const known = Math.max(newestLine(used), sessionMs ?? Number.NEGATIVE_INFINITY);
  return Number.isFinite(known) ? known : journalMs;
};

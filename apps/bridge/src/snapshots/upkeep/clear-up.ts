/** What nobody needs any more: contents without a line, journals without a session, old trash. */
import { join } from 'node:path';
import { isExpired, NEW_BLOB_GRACE_MS, type RetentionLimits } from '@skein/core/restore/retention';
import { listDir, statIfThere } from '../../platform/files.ts';
import { emptyTrash, moveToTrash } from '../../platform/trash.ts';
import { putBackBlobs, type Swept, sweepBlobs } from '../../platform/tree-files-blob-sweep.ts';
import { listJournals, namedContents, turnsInStores } from './journals.ts';
import { blobsIn, journalsIn, type SurveyedJournal, trashIn } from './survey.ts';
import type { UpkeepDeps } from './types.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** `beforeMs`: what was saved later may be about to be named. Fault `io`; then nothing more is removed. */
export const sweepContents = async (
  deps: UpkeepDeps,
  options: { readonly beforeMs?: number | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Swept> => {
  const beforeMs = options.beforeMs ?? deps.clock.nowMs() - NEW_BLOB_GRACE_MS;
  await putBackBlobs(blobsIn(deps));
  const journals = (await listJournals(journalsIn(deps))).map(({ path }) => path);
  const named = await namedContents([...journals, ...(await journalsInTrash(deps))]);
  const isNeeded = (sha256: string): boolean => named.has(sha256);
  return sweepBlobs(blobsIn(deps), { isNeeded, beforeMs, signal: options.signal });
};

/** A journal that may be brought back is of no use without its contents. */
async function journalsInTrash(deps: UpkeepDeps): Promise<readonly string[]> {
  return (await listDir(trashIn(deps))).flatMap(({ name, kind }) =>
    kind === 'file' && name?.endsWith('.jsonl') === true ? [join(trashIn(deps), name)] : [],
  );
}

/** To the trash: a session may have been moved away by hand. One with something open is left alone. */
export const retireOrphans = async (
  deps: UpkeepDeps,
  { journals, limits }: { readonly journals: readonly SurveyedJournal[]; readonly limits: RetentionLimits },
): Promise<readonly string[]> => {
  const stores = new Set<string>();
  for (const { strand, path, entries, usedAtMs, mtimeMs, session } of journals) {
    const nowMs = deps.clock.nowMs();
    if (session !== 'gone' || !isExpired(Math.max(usedAtMs, mtimeMs), nowMs, limits.retentionDays)) continue;
    await deps.withLease(strand, async () => {
      const isOpen = (await statIfThere(join(journalsIn(deps), `${strand}.open`))) !== null;
      if (isOpen || (await deps.lastWritten(strand)) !== null) return;
      for (const [key, turns] of turnsInStores(entries)) {
        if (!(await deps.trees.mayRelease(key))) return;
        await deps.trees.release(key, strand, [...turns]);
        stores.add(key);
      }
      await moveToTrash(path, trashIn(deps), nowMs);
    });
  }
  return [...stores];
};

/** Returns how many things went for good. Fault `io`. */
export const emptyOldTrash = (deps: UpkeepDeps, olderThanMs: number = WEEK_MS): Promise<number> =>
  emptyTrash(trashIn(deps), { nowMs: deps.clock.nowMs(), olderThanMs });

/** Saved versions that no journal names: found by reading all journals, removed when they are old enough. */
import { join } from 'node:path';
import type { FileState } from '@skein/core/restore/file-state';
import type { JournalEntry } from '@skein/core/restore/journal-entry';
import { listDir, moveFile, readFileIfThere, statIfThere } from '../../platform/files.ts';
import { removeTree } from '../../platform/trash.ts';
import { parseJournal } from '../journal-lines.ts';
import { journalsIn } from './journals.ts';

export const blobsIn = (dataDir: string): string => join(dataDir, 'snapshots', 'blobs');

/**
 * `graceMs`: a version is saved before the line that names it, so a young one may be about to be named. Returns the bytes
 * that were freed. A journal with a line that cannot be read keeps everything: it may name any of them. Fault `io`.
 */
export const sweepBlobs = async (
  dataDir: string,
  { nowMs, graceMs }: { readonly nowMs: number; readonly graceMs: number },
): Promise<number> => {
  const named = await namedBlobs(dataDir);
  if (named === null) return 0;
  let freed = 0;
  for (const folder of await listDir(blobsIn(dataDir))) {
    if (folder.kind !== 'dir' || folder.name === null || !/^[0-9a-f]{2}$/.test(folder.name)) continue;
    for (const { name } of await listDir(join(blobsIn(dataDir), folder.name))) {
      if (name === null || named.has(name)) continue;
      freed += await removeIfOld(join(blobsIn(dataDir), folder.name, name), nowMs - graceMs);
    }
  }
  return freed;
};

/**
 * Whoever finds a version saved already renews its date before a line names it. So it is put aside first and looked at
 * again: one that was renewed meanwhile goes back. Returns the bytes that were freed.
 */
const removeIfOld = async (path: string, beforeMs: number): Promise<number> => {
  const stat = await statIfThere(path);
  if (stat === null || Number(stat.mtimeMs) > beforeMs) return 0;
  const aside = `${path}.aside`;
  await moveFile(path, aside);
  const again = await statIfThere(aside);
  if (again !== null && Number(again.mtimeMs) > beforeMs) {
    await moveFile(aside, path);
    return 0;
  }
  await removeTree(aside);
  return Number(stat.size);
};

const namedBlobs = async (dataDir: string): Promise<ReadonlySet<string> | null> => {
  const named = new Set<string>();
  for (const { name } of await listDir(journalsIn(dataDir))) {
    if (name === null || !name.endsWith('.jsonl')) continue;
    const bytes = await readFileIfThere(join(journalsIn(dataDir), name));
    const journal = parseJournal(bytes ?? new Uint8Array());
    if (journal.bad.length > 0) return null;
    for (const entry of journal.entries) for (const state of statesOf(entry)) add(named, state);
  }
  return named;
};

const add = (named: Set<string>, state: FileState): void => {
  if (state.type === 'file') named.add(state.sha256);
};

const statesOf = (entry: JournalEntry): readonly FileState[] => {
  if (entry.kind === 'mutation') return [entry.pre, entry.post];
  return entry.kind === 'intent' ? entry.steps.flatMap(({ ours, result }) => [ours, result]) : [];
};

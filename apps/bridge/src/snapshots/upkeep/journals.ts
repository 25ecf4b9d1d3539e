/** The journals that are kept, and letting one go. */
import { join } from 'node:path';
import { type StrandId, strandIdSchema } from '@skein/core/record/ids';
import { listDir, readFileIfThere, removeFile, statIfThere } from '../../platform/files.ts';
import { moveToTrash } from '../../platform/trash.ts';
import { parseJournal } from '../journal-lines.ts';
import type { UpkeepDeps } from './upkeep-deps.ts';

export const journalsIn = (dataDir: string): string => join(dataDir, 'snapshots', 'journals');

export interface KeptJournal {
  readonly strand: StrandId;
  readonly path: string;
  readonly usedMs: number;
}

/** Least recently used first. A journal whose session is gone counts from its own last line. Fault `io`. */
export const listJournals = async (deps: UpkeepDeps): Promise<readonly KeptJournal[]> => {
  const found: KeptJournal[] = [];
  for (const { name } of await listDir(journalsIn(deps.dataDir))) {
    const strand = strandIdSchema.safeParse(name?.replace(/\.jsonl$/, ''));
    if (name === null || !name.endsWith('.jsonl') || !strand.success) continue;
    const path = join(journalsIn(deps.dataDir), name);
    const stat = await statIfThere(path);
    if (stat === null) continue;
    const used = (await deps.lastUsedMs(strand.data)) ?? 0;
    found.push({ strand: strand.data, path, usedMs: Math.max(used, Number(stat.mtimeMs)) });
  }
  return found.toSorted((a, b) => a.usedMs - b.usedMs);
};

/** The turns that a journal knows. Fault `io`. */
export const turnsIn = async (path: string): Promise<number> => {
  const { entries } = parseJournal((await readFileIfThere(path)) ?? new Uint8Array());
  return new Set(entries.flatMap((entry) => (entry.kind === 'mutation' ? [entry.turn] : []))).size;
};

/**
 * The session stays; that its files were once changed stays in its records, so an undo then says that the versions are
 * gone and touches nothing. False when somebody uses it. Fault `io`.
 */
export const letGoOfJournal = async (
  deps: UpkeepDeps,
  { strand, path }: KeptJournal,
  how: 'trash' | 'delete',
): Promise<boolean> => {
  if (await deps.isInUse(strand)) return false;
  if (how === 'trash') await moveToTrash(join(deps.dataDir, 'trash'), path, deps.nowMs());
  else await removeFile(path);
  return true;
};

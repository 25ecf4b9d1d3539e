/** Journals as an upkeep sees them: which turns and restores they hold, what each needs, and the files themselves. */
import { join } from 'node:path';
import { type StrandId, strandIdSchema, type TurnId } from '@skein/core/record/ids';
import type { FileState } from '@skein/core/restore/file-state';
import type { JournalEntry } from '@skein/core/restore/journal-entry';
import type { SavedPart } from '@skein/core/restore/retention';
import { listDir, readFileIfThere, statIfThere } from '../../platform/files.ts';

const SUFFIX = '.jsonl';

export interface JournalFile {
  readonly strand: StrandId;
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** Fault `io`. */
export const listJournals = async (dir: string): Promise<readonly JournalFile[]> => {
  const found: JournalFile[] = [];
  for (const { name, kind } of await listDir(dir)) {
    if (kind !== 'file' || name === null || !name.endsWith(SUFFIX)) continue;
    const strand = strandIdSchema.safeParse(name.slice(0, -SUFFIX.length));
    const path = join(dir, name);
    const stat = strand.success ? await statIfThere(path) : null;
    if (stat !== null && strand.success)
      found.push({ strand: strand.data, path, bytes: Number(stat.size), mtimeMs: Number(stat.mtimeMs) });
  }
  return found;
};

/** The newest time that a journal tells, ms; minus infinity when it tells none. */
export const newestLine = (entries: readonly JournalEntry[]): number =>
  entries.reduce((newest, { at }) => {
    const ms = Date.parse(at);
    return Number.isNaN(ms) ? newest : Math.max(newest, ms);
  }, Number.NEGATIVE_INFINITY);

/** Turns and restores of a journal with the contents in `blobs/` that each needs. */
export const partsOfJournal = (strand: StrandId, entries: readonly JournalEntry[]): readonly SavedPart[] => {
  const parts = new Map<string, SavedPart & { readonly blobs: string[] }>();
  const need = (kind: SavedPart['kind'], id: SavedPart['id'], at: string): string[] => {
    const known = parts.get(id);
    if (known !== undefined) return known.blobs;
    const ms = Date.parse(at);
    const part = { strand, kind, id, atMs: Number.isNaN(ms) ? 0 : ms, blobs: [] };
    parts.set(id, part);
    return part.blobs;
  };
  for (const entry of entries) {
    if (entry.kind === 'mutation')
      need('turn', entry.turn, entry.at).push(...[entry.pre, entry.post].flatMap(contentOf));
    if (entry.kind === 'settled') need('restore', entry.op, entry.at);
    if (entry.kind !== 'intent') continue;
    const blobs = need('restore', entry.op, entry.at);
    for (const { ours, result } of entry.steps) blobs.push(...[ours, result].flatMap(contentOf));
  }
  return [...parts.values()];
};

function contentOf(state: FileState): readonly string[] {
  return state.type === 'file' ? [state.sha256] : [];
}

/** By store key: the turns whose contents lie there. */
export const turnsInStores = (entries: readonly JournalEntry[]): ReadonlyMap<string, ReadonlySet<TurnId>> => {
  const stores = new Map<string, Set<TurnId>>();
  for (const entry of entries) {
    if (entry.kind !== 'mutation' || entry.trees === undefined) continue;
    const turns = stores.get(entry.trees.store) ?? new Set();
    stores.set(entry.trees.store, turns.add(entry.turn));
  }
  return stores;
};

const SHA256 = /[0-9a-f]{64}/g;

/**
 * Everything that looks like the name of a content, in any line, whoever wrote it and whatever became of it: a content
 * is given up only when no journal can be about it. Fault `io` when one cannot be read: then nothing may be given up.
 */
export const namedContents = async (paths: readonly string[]): Promise<ReadonlySet<string>> => {
  const named = new Set<string>();
  for (const path of paths) {
    const bytes = await readFileIfThere(path);
    if (bytes === null) continue;
    for (const [sha256] of Buffer.from(bytes).toString('latin1').matchAll(SHA256)) named.add(sha256);
  }
  return named;
};

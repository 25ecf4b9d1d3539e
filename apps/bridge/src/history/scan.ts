/** A look at every place: which session files there are, and reading those that are not known or have changed. */
import type { AnyReader, ForeignAgent } from '@skein/core/import/reader';
import { isBridgeError } from '@skein/core/protocol/errors';
import { openForeign } from '../platform/foreign-file.ts';
import { realPathIfThere } from '../platform/paths.ts';
import { type FileKey, type ScannedEntry, sameKey } from '../platform/scan-dir.ts';
import { walkFiles } from '../platform/walk-files.ts';
import type { CatalogueRow } from './catalogue.ts';
import { createFactsFold, type FactsFold } from './facts.ts';
import { type Checkpoint, endOf, type ReadBatch, startReading } from './read-session.ts';
import type { HistoryPlace } from './types.ts';
import type { KeptFile, Vault } from './vault.ts';
import { rawBytesOf } from './vault-chain.ts';

const LIMITS = { maxDepth: 12, maxFiles: 200_000, wanted: (name: string) => /\.jsonl?$/.test(name) };
const HEAD_BYTES = 64 * 1024;
/** Folds of files that grew while we looked: such a file is read on, not again. */
const MAX_LIVE = 32;

export interface FoundFile extends ScannedEntry {
  readonly agent: ForeignAgent;
}

/** One lstat an entry; nothing is opened. A file that two places reach belongs to the first. */
export const findFiles = async (places: readonly HistoryPlace[]) => {
  const files = new Map<string, FoundFile>();
  const notices: string[] = [];
  for (const { agent, dir } of places) {
    const root = await realPathIfThere(dir);
    if (root === null) continue;
    const walk = await walkFiles(root, LIMITS);
    notices.push(...walk.notices);
    for (const file of walk.files) if (!files.has(file.path)) files.set(file.path, { ...file, agent });
  }
  return { files, notices };
};

export interface RowReader {
  /** The same of a copy whose file is gone. */
  readKept(
    kept: KeptFile,
    known: CatalogueRow | undefined,
    vault: Pick<Vault, 'unpacked'>,
  ): Promise<CatalogueRow | { readonly notice: string }>;
  /** The row of a file; the known one when the file is as it was. `notice` instead when it may not be read. */
  read(file: FoundFile, known: CatalogueRow | undefined): Promise<CatalogueRow | { readonly notice: string }>;
}

interface Live {
  readonly facts: FactsFold;
  readonly checkpoint: Checkpoint;
}

export const createRowReader = (readers: ReadonlyMap<ForeignAgent, AnyReader>): RowReader => {
  const live = createLive();
  const fresh = async (reader: AnyReader, file: FoundFile): Promise<CatalogueRow> => {
    const from = live.take(file.path);
    if (from === null && !(await isAccepted(reader, file.path))) return rowOf(file, reader, null);
    const start = await startReading(reader, file.path, { from: from?.checkpoint ?? null });
    if (start.kind === 'gone') return rowOf(file, reader, null);
    const facts = start.fresh || from === null ? createFactsFold() : from.facts;
    const last = await readAll(start.batches, facts);
    if (last === null) return rowOf(file, reader, null);
    live.put(file.path, { facts, checkpoint: last.checkpoint });
    const whole = facts.copy();
    whole.add(endOf(reader, last));
    const { key } = last.checkpoint;
    return rowOf(key, reader, whole.row({ path: file.path, agent: file.agent, key }));
  };
  return {
    async readKept(kept, known, vault) {
      const reader = readers.get(kept.agent);
      if (reader === undefined) return { notice: `Sessions of ${kept.agent} cannot be read: ${kept.path}` };
      const key = keyOfCopy(kept);
      if (known?.session?.gone === true && known.reader === reader.version && sameKey(known, key))
        return known;
      return toldOr(kept.path, async () => {
        const start = await startReading(reader, await vault.unpacked(kept), { origin: kept.path });
        const facts = createFactsFold();
        const last = start.kind === 'gone' ? null : await readAll(start.batches, facts);
        if (last === null) return rowOf(key, reader, null);
        facts.add(endOf(reader, last));
        const session = facts.row({ path: kept.path, agent: kept.agent, key });
        return rowOf(key, reader, session === null ? null : { ...session, gone: true, kept: true });
      });
    },
    async read(file, known) {
      const reader = readers.get(file.agent);
      if (reader === undefined) return { notice: `Sessions of ${file.agent} cannot be read: ${file.path}` };
      if (known !== undefined && known.reader === reader.version && sameKey(known, file)) return known;
      return toldOr(file.path, () => fresh(reader, file));
    },
  };
};

/** A file that cannot be read keeps no other from the list. */
const toldOr = async (
  path: string,
  read: () => Promise<CatalogueRow>,
): Promise<CatalogueRow | { readonly notice: string }> => {
  try {
    return await read();
  } catch (error) {
    if (!isBridgeError(error)) throw error;
    return { notice: `${error.message} (${path})` };
  }
};

/** Numbers that change with the copy, in place of those of a file. */
const keyOfCopy = ({ key, chain }: KeptFile): FileKey => ({
  size: chain === null ? 0 : rawBytesOf(chain),
  mtimeMs: 0,
  ino: Number.parseInt(key.slice(0, 12), 16),
});

const createLive = () => {
  const live = new Map<string, Live>();
  return {
    take(path: string): Live | null {
      const found = live.get(path) ?? null;
      live.delete(path);
      return found;
    },
    put(path: string, one: Live): void {
      live.set(path, one);
      for (const oldest of live.keys()) if (live.size > MAX_LIVE) live.delete(oldest);
    },
  };
};

const readAll = async (batches: AsyncIterable<ReadBatch>, facts: FactsFold): Promise<ReadBatch | null> => {
  let last: ReadBatch | null = null;
  for await (const batch of batches) {
    facts.add(batch.emitted);
    last = batch;
  }
  return last;
};

const rowOf = (
  { size, mtimeMs, ino }: FileKey,
  { version }: AnyReader,
  session: CatalogueRow['session'],
): CatalogueRow => ({ size, mtimeMs, ino, reader: version, session });

const isAccepted = async (reader: AnyReader, path: string): Promise<boolean> => {
  const file = await openForeign(path);
  if (file === null) return false;
  try {
    const head = await file.read(0, Math.min(HEAD_BYTES, file.size));
    return reader.accepts(new TextDecoder().decode(head), path);
  } finally {
    await file.close();
  }
};

/** Rows of the sidebar: what is known of unchanged files, a fold of the others. */
import { relative } from 'node:path';
import { isBridgeError } from '@skein/core/protocol/errors';
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import { replay, type StrandState } from '@skein/core/strand/replay';
import { summaryOf } from '@skein/core/strand/summary';
import { type FileKey, sameKey } from '../platform/scan-dir.ts';
import type { Catalog, CatalogRow } from './catalog.ts';
import type { FoldCache } from './fold-cache.ts';
import { type StrandFile, scanStrands } from './strand-files.ts';
import type { OpenStrand } from './writer.ts';

export interface ListDeps {
  readonly strands: string;
  readonly catalog: Catalog;
  readonly folds: FoldCache;
  /** Folds without their bulk, so that a file that another process appends to is not read whole for every record. */
  readonly lightFolds: FoldCache;
  readonly openWriter: (id: StrandId) => OpenStrand | undefined;
}

/** How many files are folded at the same time. */
const WIDTH = 4;

/** Newest first. A file that cannot be read is a row too, in state `unreadable`. Fault `io` for the folder itself. */
export const listStrands = async (deps: ListDeps): Promise<readonly StrandSummary[]> => {
  const { strands, subagents } = await scanStrands(deps.strands);
  const rows = await rowsOf(deps, strands);
  await forget(deps, [...strands, ...subagents]);
  return rows.map(({ summary }) => summary).sort(byTime);
};

const byTime = (a: StrandSummary, b: StrandSummary): number =>
  a.updatedAt === b.updatedAt ? (a.id < b.id ? -1 : 1) : a.updatedAt < b.updatedAt ? 1 : -1;

/** One row per file; files that went meanwhile have none. */
export const rowsOf = async (
  deps: ListDeps,
  files: readonly StrandFile[],
): Promise<readonly CatalogRow[]> => {
  const rows: CatalogRow[] = [];
  const changed: StrandFile[] = [];
  for (const file of files) {
    const row = rowInCatalog(deps, file);
    if (row === null) changed.push(file);
    else rows.push(row);
  }
  const fresh: CatalogRow[] = [];
  const queue = changed[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const file of queue) {
      const row = await rowOf(deps, file);
      if (row !== null) fresh.push(row);
    }
  };
  await Promise.all(Array.from({ length: WIDTH }, work));
  await deps.catalog.save(fresh);
  return [...rows, ...fresh];
};

/** What the catalog knows of a file that did not change since. */
export const rowInCatalog = (
  deps: ListDeps,
  file: FileKey & { readonly path: string },
): CatalogRow | null => {
  const row = deps.catalog.rows.get(relative(deps.strands, file.path));
  return row !== undefined && sameKey(row.key, file) ? row : null;
};

const rowOf = async (deps: ListDeps, file: StrandFile): Promise<CatalogRow | null> => {
  const path = relative(deps.strands, file.path);
  const writer = deps.openWriter(file.id);
  const shown = writer?.shownAt(file.size) ?? null;
  if (shown !== null) return toRow({ path, file, ...shown, key: { ...file, size: shown.end } });
  try {
    const folded =
      deps.folds.peek(file.path) ?? (await deps.lightFolds.fold(file.path, readableOf(deps, file.id)));
    const state = folded.state.seq === 0 ? unreadableState('no whole line') : folded.state;
    return toRow({ path, file, state, end: folded.end, key: folded.key });
  } catch (error) {
    if (!isBridgeError(error)) throw error;
    if (error.code === 'not_found') return null;
    return toRow({ path, file, state: unreadableState(error.message), end: 0, key: { ...file, size: -1 } });
  }
};

/** Asked when the file is read: a writer may have been opened, and be at work, by then. */
export const readableOf =
  ({ openWriter }: Pick<ListDeps, 'openWriter'>, id: StrandId) =>
  (size: number): number =>
    openWriter(id)?.readableEnd(size) ?? size;

/** As the fold sees a file whose header is missing. */
const unreadableState = (reason: string): StrandState =>
  replay([{ seq: 1, decoded: { kind: 'torn', reason } }]);

const toRow = (parts: {
  readonly path: string;
  readonly file: StrandFile;
  readonly state: StrandState;
  readonly end: number;
  readonly key: CatalogRow['key'];
}): CatalogRow => {
  const { path, file, state, end, key } = parts;
  const fileAt = new Date(file.mtimeMs).toISOString();
  const { size, mtimeMs, ino } = key;
  return {
    path,
    key: { size, mtimeMs, ino },
    end,
    lines: end === 0 ? 0 : state.seq,
    tip: state.tip,
    summary: summaryOf(state, { id: file.id, fileAt }),
  };
};

const forget = async (deps: ListDeps, files: readonly StrandFile[]): Promise<void> => {
  const present = new Set(files.map(({ path }) => relative(deps.strands, path)));
  await deps.catalog.remove([...deps.catalog.rows.keys()].filter((path) => !present.has(path)));
};

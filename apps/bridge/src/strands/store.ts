/** The strand store: composes the files of this folder. Owns what lives as long as the bridge: caches, watch, catalog. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandId } from '@skein/core/record/ids';
import type { Clock } from '../platform/clock.ts';
import type { ProcessIdentity } from '../platform/host.ts';
import { settleAll } from '../platform/settle-all.ts';
import { openCatalog } from './catalog.ts';
import { createStrand } from './create-strand.ts';
import type { DataDir } from './data-dir.ts';
import { createFoldCache, type FoldCache } from './fold-cache.ts';
import { mustBeThere } from './fold-file.ts';
import { lightenLine } from './lighten.ts';
import { createLineIndex, type IndexedFile, type LineIndex } from './line-index.ts';
import { type ListDeps, listStrands, readableOf, rowInCatalog, rowsOf } from './list-strands.ts';
import { createLocator } from './locate-strand.ts';
import { acceptBadLines, type OpenDeps, openStrand } from './open-strand.ts';
import { readItems, readLinesAfter } from './read-after.ts';
import { readSpill, readSpillRange } from './spills.ts';
import type { StrandLocation, StrandStore } from './types.ts';
import { createStrandWatch } from './watch-strands.ts';
import { type KnownStrand, readWindow } from './window.ts';
import type { OpenStrand } from './writer.ts';

export interface StoreDeps {
  readonly dirs: DataDir;
  readonly process: ProcessIdentity;
  readonly clock: Clock;
  /** Something that works worse than it should, for the log: one sentence. */
  readonly notice: (message: string) => void;
  /** A fault in the background that no call waits for. */
  readonly onFault: (error: unknown) => void;
  /** Folded strands kept for readers, in bytes of their files. */
  readonly foldCacheBytes?: number;
}

const FOLD_CACHE_BYTES = 64 * 1024 * 1024;
const LIGHT_CACHE_BYTES = 32 * 1024 * 1024;

export const openStrandStore = async (deps: StoreDeps): Promise<StrandStore> => {
  const { dirs } = deps;
  const writers = new Map<StrandId, OpenStrand>();
  const folds = createFoldCache(deps.foldCacheBytes ?? FOLD_CACHE_BYTES);
  const lightFolds = createFoldCache(LIGHT_CACHE_BYTES, { lighten: lightenLine });
  const index = createLineIndex();
  const catalog = await openCatalog(dirs.catalog, deps.notice);
  const watch = createStrandWatch({ strands: dirs.strands, notice: deps.notice, onFault: deps.onFault });
  const locate = createLocator(dirs.strands);
  const listing: ListDeps = {
    strands: dirs.strands,
    catalog,
    folds,
    lightFolds,
    openWriter: (id) => writers.get(id),
  };
  const opening: OpenDeps = {
    ...deps,
    onOpened: (writer) => {
      writers.set(writer.id, writer);
      locate.note(writer);
      folds.drop(writer.file);
    },
    onGrew: (id) => {
      const writer = writers.get(id);
      if (writer !== undefined) watch.touch(id, writer.file);
    },
    onClosed: (id) => writers.delete(id),
  };
  const mustLocate = async (id: StrandId) => mustBeFound(id, await locate(id));
  const indexed = async (id: StrandId): Promise<IndexedFile> => {
    const { file } = await mustLocate(id);
    const found = mustBeThere(file);
    return { ...found, size: readableOf(listing, id)(found.size) };
  };
  const known = createKnown({ writers, folds, listing, index });
  return {
    create: async (header) => {
      const parent = header.origin?.via === 'subagent' ? await locate(header.origin.strand) : null;
      return createStrand(opening, header, parent?.file ?? null);
    },
    open: async (id, options) => openStrand(opening, await mustLocate(id), { takeOver: options?.takeOver }),
    acceptBadLines: async (id) => acceptBadLines(opening, await mustLocate(id)),
    locate,
    read: async (id) => {
      const { path, size } = await indexed(id);
      const shown = writers.get(id)?.shownAt(size) ?? null;
      return shown?.state ?? (await folds.fold(path, readableOf(listing, id))).state;
    },
    window: async (id, options) => {
      const file = await indexed(id);
      return readWindow(file, options, { index, known: known(id, file) });
    },
    readAfter: async (id, cursor) => readLinesAfter(await indexed(id), cursor, index),
    list: () => listStrands(listing),
    summary: async (id) => {
      const at = await locate(id);
      const [row] = at === null ? [] : await rowsOf(listing, [{ ...mustBeThere(at.file), id }]);
      return row?.summary ?? null;
    },
    readSpill: (sha256) => readSpill(dirs.spills, sha256),
    readSpillRange: (sha256, offset, limit) => readSpillRange(dirs.spills, { sha256, offset, limit }),
    lines: async function* (id) {
      yield* readItems(await indexed(id));
    },
    watch: watch.add,
    close: async () => {
      watch.close();
      try {
        await settleAll([...writers.values()].map((writer) => writer.close()));
      } finally {
        catalog.close();
      }
    },
  };
};

const mustBeFound = (id: StrandId, found: StrandLocation | null): StrandLocation => {
  if (found !== null) return found;
  throw new BridgeError('not_found', 'There is no such session.', { data: { strand: id } });
};

interface KnownDeps {
  readonly writers: ReadonlyMap<StrandId, OpenStrand>;
  readonly folds: FoldCache;
  readonly listing: ListDeps;
  readonly index: LineIndex;
}

/** Without reading: a writer of ours, a fold in memory, a row of the catalog. */
const createKnown =
  ({ writers, folds, listing, index }: KnownDeps) =>
  (id: StrandId, file: IndexedFile): KnownStrand => {
    const shown = writers.get(id)?.shownAt(file.size) ?? null;
    const state = shown?.state ?? folds.peek(file.path)?.state ?? null;
    const stored = state === null ? rowInCatalog(listing, file) : null;
    if (stored !== null) index.note(file, { offset: stored.end, lines: stored.lines });
    return { state, tip: state?.tip ?? stored?.tip ?? null };
  };

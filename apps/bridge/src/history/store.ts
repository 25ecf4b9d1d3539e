/**
 * The sessions of other agents on this machine. Owns the list and the sessions that are open; writes nothing outside
 * its own catalogue. Every answer follows from a look at the places: one lstat a file, and only what changed is read.
 */
import { createHash } from 'node:crypto';
import type { ForeignAgent } from '@skein/core/import/reader';
import type { ForeignSession } from '@skein/core/protocol/history';
import { type StrandId, strandIdSchema } from '@skein/core/record/ids';
import { realPathIfThere } from '../platform/paths.ts';
import { type CatalogueRow, loadCatalogue, saveCatalogue } from './catalogue.ts';
import { createSessionView, type SessionView } from './opened.ts';
import { createRowReader, findFiles } from './scan.ts';
import type { AnyReader, HistoryPlace, HistoryStore, OpenedSession } from './types.ts';

export interface HistoryDeps {
  /** The disposable file of known rows. */
  readonly catalogueFile: string;
  readonly readers: ReadonlyMap<ForeignAgent, AnyReader>;
  readonly places: () => Promise<readonly HistoryPlace[]>;
}

/** Sessions held in memory with all their records. */
const MAX_OPEN = 8;

interface Known {
  readonly sessions: readonly ForeignSession[];
  readonly notices: readonly string[];
}

export const openHistory = async (deps: HistoryDeps): Promise<HistoryStore> => {
  let rows: ReadonlyMap<string, CatalogueRow> = await loadCatalogue(deps.catalogueFile);
  const rowReader = createRowReader(deps.readers);
  const views = new Map<StrandId, { readonly path: string; readonly view: SessionView }>();
  let looking: Promise<Known> | null = null;

  const look = async (): Promise<Known> => {
    const { files, notices } = await findFiles(await deps.places());
    const next = new Map<string, CatalogueRow>();
    const told = [...notices];
    for (const file of files.values()) {
      const row = await rowReader.read(file, rows.get(file.path));
      if ('notice' in row) told.push(row.notice);
      else next.set(file.path, row);
    }
    const changed = next.size !== rows.size || [...next].some(([path, row]) => rows.get(path) !== row);
    rows = next;
    if (changed) await saveCatalogue(deps.catalogueFile, next);
    return { sessions: sessionsOf(next), notices: told };
  };
  const lookOnce = async (): Promise<Known> => {
    looking ??= look();
    try {
      return await looking;
    } finally {
      looking = null;
    }
  };
  /** Without a look, unless it is not among the known ones. */
  const find = async (id: StrandId): Promise<ForeignSession | null> =>
    sessionsOf(rows).find((one) => one.id === id) ??
    (await lookOnce()).sessions.find((one) => one.id === id) ??
    null;

  return {
    list: lookOnce,
    has: async (id) => (await find(id)) !== null,
    async places() {
      const { sessions } = await lookOnce();
      return Promise.all((await deps.places()).map((place) => withCounts(place, sessions)));
    },
    async open(id) {
      const session = await find(id);
      const reader = session === null ? undefined : deps.readers.get(session.agent);
      if (session === null || reader === undefined) return null;
      const known = views.get(id);
      const entry =
        known?.path === session.path
          ? known
          : { path: session.path, view: createSessionView(reader, session) };
      views.delete(id);
      views.set(id, entry);
      for (const oldest of views.keys()) if (views.size > MAX_OPEN) views.delete(oldest);
      const opened = await entry.view.refresh();
      return opened === null ? null : withId(opened, id);
    },
  };
};

const withCounts = async (place: HistoryPlace, sessions: readonly ForeignSession[]) => {
  const real = await realPathIfThere(place.dir);
  const inside = sessions.filter(({ path }) => real !== null && path.startsWith(`${real}/`));
  return { ...place, exists: real !== null, sessions: inside.length };
};

/** Newest first. Of files that carry the same session the largest keeps its id, the others get one of their own. */
const sessionsOf = (rows: ReadonlyMap<string, CatalogueRow>): readonly ForeignSession[] => {
  const found = [...rows.values()].flatMap(({ session }) => (session === null ? [] : [session]));
  const taken = new Set<string>();
  const bySize = found.toSorted((a, b) => b.sizeBytes - a.sizeBytes || (a.path < b.path ? -1 : 1));
  const named = bySize.map((session) => {
    if (!taken.has(session.id)) {
      taken.add(session.id);
      return session;
    }
    return { ...session, id: ownId(session) };
  });
  return named.toSorted((a, b) => b.updatedAt.localeCompare(a.updatedAt) || (a.id < b.id ? -1 : 1));
};

const ownId = ({ id, path }: ForeignSession): StrandId =>
  strandIdSchema.parse(createHash('sha256').update(`${id}\n${path}`).digest('hex').slice(0, 12));

/** The header names the session by the id it is listed under. */
const withId = (opened: OpenedSession, id: StrandId): OpenedSession => ({
  ...opened,
  session: { ...opened.session, id },
  records: opened.records.map((record) =>
    record.kind === 'header' && record.strand !== id ? { ...record, strand: id } : record,
  ),
});

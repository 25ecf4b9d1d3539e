/**
 * The sessions of other agents on this machine. Owns the list and the sessions that are open; writes nothing outside
 * its own catalogue. Every answer follows from a look at the places: one lstat a file, and only what changed is read.
 */
import { createHash } from 'node:crypto';
import type { AnyReader, ForeignAgent } from '@skein/core/import/reader';
import { isBridgeError } from '@skein/core/protocol/errors';
import type { ForeignSession } from '@skein/core/protocol/history';
import { type StrandId, strandIdSchema } from '@skein/core/record/ids';
import { realPathIfThere } from '../platform/paths.ts';
import { type CatalogueRow, loadCatalogue, saveCatalogue } from './catalogue.ts';
import { createSessionView, type SessionView } from './opened.ts';
import { createRowReader, findFiles } from './scan.ts';
import type { HistoryPlace, HistoryStore, OpenedSession } from './types.ts';
import { unfoldDatabases } from './unfold-databases.ts';
import type { KeptFile, Vault } from './vault.ts';
import { rawBytesOf } from './vault-chain.ts';

export interface HistoryDeps {
  /** The disposable file of known rows. */
  readonly catalogueFile: string;
  readonly readers: ReadonlyMap<ForeignAgent, AnyReader>;
  readonly places: () => Promise<readonly HistoryPlace[]>;
  /** Where databases are unfolded; disposable. */
  readonly unfoldedDir: string;
  readonly vault: Vault;
  /** Whether copies are to be kept. */
  readonly keeps: () => Promise<boolean>;
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
  const views = createViews(deps);
  let keptPaths: ReadonlySet<string> = new Set();
  let looking: Promise<Known> | null = null;

  const look = async (): Promise<Known> => {
    const places = await deps.places();
    const unfolded = await unfoldDatabases(foldersOf(places, 'opencode'), deps.unfoldedDir);
    const documents = unfolded.dirs.map((dir): HistoryPlace => ({ agent: 'opencode', dir, from: 'found' }));
    const { files, notices } = await findFiles([...places, ...documents]);
    const next = new Map<string, CatalogueRow>();
    const told = [...notices, ...unfolded.notices];
    for (const file of files.values()) {
      const row = await rowReader.read(file, rows.get(file.path));
      if ('notice' in row) told.push(row.notice);
      else next.set(file.path, row);
    }
    if (await deps.keeps()) told.push(...(await keepAll(deps.vault, next)));
    const kept = await deps.vault.list();
    for (const one of kept.filter(({ path }) => !next.has(path))) {
      const row = await rowReader.readKept(one, rows.get(one.path), deps.vault);
      if ('notice' in row) told.push(row.notice);
      else next.set(one.path, row);
    }
    keptPaths = new Set(kept.map(({ path }) => path));
    const changed = next.size !== rows.size || [...next].some(([path, row]) => rows.get(path) !== row);
    rows = next;
    if (changed) await saveCatalogue(deps.catalogueFile, next);
    return { sessions: sessionsOf(next, keptPaths), notices: told };
  };
  const lookOnce = async (): Promise<Known> => {
    looking ??= look();
    const mine = looking;
    try {
      return await mine;
    } finally {
      if (looking === mine) looking = null;
    }
  };
  /** Without a look, unless it is not among the known ones. */
  const find = async (id: StrandId): Promise<ForeignSession | null> =>
    sessionsOf(rows, keptPaths).find((one) => one.id === id) ??
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
      const opened = session === null ? null : await views.open(session);
      if (opened !== null || session === null) return opened;
      // Renamed, removed or put into the vault since the last look.
      const now = (await lookOnce()).sessions.find((one) => one.id === id);
      return now === undefined ? null : views.open(now);
    },
    vault: vaultOf(deps.vault),
  };
};

const foldersOf = (places: readonly HistoryPlace[], wanted: ForeignAgent): readonly string[] =>
  places.flatMap(({ agent, dir }) => (agent === wanted ? [dir] : []));

/** The sessions that are open, the last used ones. */
const createViews = ({ readers, vault }: HistoryDeps) => {
  const views = new Map<StrandId, { readonly path: string; readonly view: SessionView }>();
  return {
    /** Null when the file is gone or holds no session any more. */
    async open(session: ForeignSession): Promise<OpenedSession | null> {
      const { id, agent } = session;
      const reader = readers.get(agent);
      const path = session.gone ? await unpackedOf(vault, session.path) : session.path;
      if (reader === undefined || path === null) return null;
      const known = views.get(id);
      const view = () => createSessionView(reader, { path, agent }, { origin: session.path });
      const entry = known?.path === path ? known : { path, view: view() };
      views.delete(id);
      views.set(id, entry);
      for (const oldest of views.keys()) if (views.size > MAX_OPEN) views.delete(oldest);
      const opened = await entry.view.refresh();
      return opened === null ? null : withId(opened, session);
    },
  };
};

const vaultOf = (vault: Vault): HistoryStore['vault'] => ({
  async usage() {
    const kept = await vault.list();
    const sum = (pick: (one: KeptFile) => number): number =>
      kept.reduce((total, one) => total + pick(one), 0);
    return {
      rawBytes: sum(({ chain }) => (chain === null ? 0 : rawBytesOf(chain))),
      storedBytes: sum(({ storedBytes }) => storedBytes),
      damaged: sum(({ chain }) => Number(chain === null)),
    };
  },
  async restore(path, to) {
    const kept = (await vault.list()).find((one) => one.path === path);
    return kept === undefined ? null : vault.restore(kept, to);
  },
});

/** Copies of every session that has none or grew; what cannot be kept is told. */
const keepAll = async (vault: Vault, rows: ReadonlyMap<string, CatalogueRow>): Promise<readonly string[]> => {
  const told: string[] = [];
  for (const [path, { session }] of rows) {
    if (session === null) continue;
    try {
      await vault.keep({ path, agent: session.agent });
    } catch (error) {
      if (!isBridgeError(error)) throw error;
      told.push(`${error.message} Not kept: ${path}`);
    }
  }
  return told;
};

const unpackedOf = async (vault: Vault, path: string): Promise<string | null> => {
  const kept = (await vault.list()).find((one) => one.path === path);
  return kept === undefined ? null : vault.unpacked(kept);
};

const withCounts = async (place: HistoryPlace, sessions: readonly ForeignSession[]) => {
  const real = await realPathIfThere(place.dir);
  const inside = sessions.filter(({ path }) => real !== null && path.startsWith(`${real}/`));
  return { ...place, exists: real !== null, sessions: inside.length };
};

/** Newest first. Of files that carry the same session the largest keeps its id, the others get one of their own. */
const sessionsOf = (
  rows: ReadonlyMap<string, CatalogueRow>,
  keptPaths: ReadonlySet<string>,
): readonly ForeignSession[] => {
  const found = [...rows.values()].flatMap(({ session }) =>
    session === null ? [] : [{ ...session, kept: session.gone || keptPaths.has(session.path) }],
  );
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
const withId = (opened: OpenedSession, { id, gone, kept }: ForeignSession): OpenedSession => ({
  ...opened,
  session: { ...opened.session, id, gone, kept },
  records: opened.records.map((record) =>
    record.kind === 'header' && record.strand !== id ? { ...record, strand: id } : record,
  ),
});

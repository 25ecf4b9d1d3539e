/**
 * List rows of strands that were folded once, kept in SQLite by path, size, mtime and inode. Disposable: a
 * catalog that is damaged, missing or of another version is made anew from the files.
 */

import type { StrandSummary } from '@skein/core/protocol/strands';
import type { RecordId } from '@skein/core/record/ids';
import Database from 'better-sqlite3';
import { removeFile } from '../platform/files.ts';
import type { FileKey } from '../platform/scan-dir.ts';

export interface CatalogRow {
  readonly path: string;
  readonly key: FileKey;
  /** Offset behind the last whole line, and how many lines lie before it. */
  readonly end: number;
  readonly lines: number;
  readonly tip: RecordId | null;
  readonly summary: StrandSummary;
}

export interface Catalog {
  readonly rows: ReadonlyMap<string, CatalogRow>;
  save(rows: readonly CatalogRow[]): Promise<void>;
  remove(paths: readonly string[]): Promise<void>;
  close(): void;
}

/** Raise it when the fold or the shape of a row changes. */
const CATALOG_VERSION = 1;

const SCHEMA = `
  create table if not exists strands (
    path text primary key, size integer not null, mtime real not null, ino integer not null,
    end_offset integer not null, lines integer not null, tip text, summary text not null
  ) strict, without rowid;
`;

/** Never fails: without a usable file the rows live in memory only, and `notice` says so once. */
export const openCatalog = async (path: string, notice: (message: string) => void): Promise<Catalog> => {
  const rows = new Map<string, CatalogRow>();
  let db = await openOrRebuild(path, rows, notice);
  /** Runs a change; a damaged file is made anew, with every row that we know. */
  const change = async (apply: (database: Database.Database) => void): Promise<void> => {
    try {
      apply(db);
    } catch (error) {
      mustBeSqlite(error);
      db.close();
      await removeCatalog(path);
      db = await openOrRebuild(path, new Map(), notice);
      insert(db, [...rows.values()]);
    }
  };
  return {
    rows,
    save: async (added) => {
      for (const row of added) rows.set(row.path, row);
      if (added.length > 0) await change((database) => insert(database, added));
    },
    remove: async (paths) => {
      for (const gone of paths) rows.delete(gone);
      const erase = (database: Database.Database): void => {
        const statement = database.prepare('delete from strands where path = ?');
        database.transaction(() => paths.map((gone) => statement.run(gone)))();
      };
      if (paths.length > 0) await change(erase);
    },
    close: () => {
      db.close();
    },
  };
};

const openOrRebuild = async (
  path: string,
  rows: Map<string, CatalogRow>,
  notice: (message: string) => void,
): Promise<Database.Database> => {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    try {
      return openFile(path, rows);
    } catch (error) {
      mustBeSqlite(error);
      rows.clear();
      await removeCatalog(path);
    }
  }
  notice(`The list of sessions cannot be kept on disk and is made anew at each start: ${path}`);
  return openFile(':memory:', rows);
};

const openFile = (path: string, rows: Map<string, CatalogRow>): Database.Database => {
  const db = new Database(path, { timeout: 2000 });
  try {
    db.pragma('journal_mode = wal');
    db.pragma('synchronous = normal');
    if (db.pragma('user_version', { simple: true }) !== CATALOG_VERSION) {
      db.exec(`drop table if exists strands; ${SCHEMA} pragma user_version = ${CATALOG_VERSION};`);
    }
    for (const row of db.prepare('select * from strands').iterate() as Iterable<StoredRow>) {
      rows.set(row.path, fromStored(row));
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};

interface StoredRow {
  readonly path: string;
  readonly size: number;
  readonly mtime: number;
  readonly ino: number;
  readonly end_offset: number;
  readonly lines: number;
  readonly tip: string | null;
  readonly summary: string;
}

const fromStored = (row: StoredRow): CatalogRow => ({
  path: row.path,
  key: { size: row.size, mtimeMs: row.mtime, ino: row.ino },
  end: row.end_offset,
  lines: row.lines,
  tip: row.tip as RecordId | null,
  summary: JSON.parse(row.summary) as StrandSummary,
});

const insert = (db: Database.Database, rows: readonly CatalogRow[]): void => {
  const statement = db.prepare('insert or replace into strands values (?, ?, ?, ?, ?, ?, ?, ?)');
  const all = db.transaction(() => {
    for (const { path, key, end, lines, tip, summary } of rows) {
      statement.run(path, key.size, key.mtimeMs, key.ino, end, lines, tip, JSON.stringify(summary));
    }
  });
  all();
};

const removeCatalog = async (path: string): Promise<void> => {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await removeFile(`${path}${suffix}`);
};

/** Only SQLite's own errors and unreadable rows mean "make it anew". */
const mustBeSqlite = (error: unknown): void => {
  if (!(error instanceof Database.SqliteError) && !(error instanceof SyntaxError)) throw error;
};

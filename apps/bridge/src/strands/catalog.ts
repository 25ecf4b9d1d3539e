/**
 * List rows of strands that were folded once, kept in SQLite by path, size, mtime and inode. Disposable: a
 * catalog that is damaged, missing or of another version is made anew from the files.
 */

import { dirname } from 'node:path';
import { isBridgeError } from '@skein/core/protocol/errors';
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { RecordId } from '@skein/core/record/ids';
import Database from 'better-sqlite3';
import { removeFile, statIfThere } from '../platform/files.ts';
import type { FileKey } from '../platform/scan-dir.ts';
import { createPrivateFile, tightenFile } from '../platform/secret-files.ts';

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
const CATALOG_VERSION = 2;

/** Inode numbers of some file systems do not fit an integer column. */
const SCHEMA = `
  create table if not exists strands (
    path text primary key, size real not null, mtime real not null, ino real not null,
    end_offset integer not null, lines integer not null, tip text, summary text not null
  ) strict, without rowid;
`;

/**
 * Never fails because of SQLite: a damaged file is made anew, and where none can be kept (disk full, read-only, locked for
 * long) the rows live in memory; `notice` says so once.
 */
export const openCatalog = async (path: string, notice: (message: string) => void): Promise<Catalog> => {
  const rows = new Map<string, CatalogRow>();
  let told = false;
  const tell = (error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    if (!told) notice(`The list of sessions cannot be kept on disk (${why}): ${path}`);
    told = true;
  };
  let db = await openOrRebuild(path, rows, tell);
  const change = async (apply: (database: Database.Database) => void): Promise<void> => {
    try {
      if (db !== null) apply(db);
    } catch (error) {
      if (!isDamage(error)) {
        mustBeSqlite(error);
        tell(error);
        return;
      }
      db?.close();
      // What is written below is every row that we know, not what the damaged file said.
      db = await openOrRebuild(path, new Map(), tell);
      db = fill(db, [...rows.values()], tell);
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
      if (paths.length > 0) await change((database) => erase(database, paths));
    },
    close: () => {
      db?.close();
      db = null;
    },
  };
};

/**
 * SQLite would make it by the umask; its -wal and -shm files take the mode of the database. Where it cannot be made,
 * opening it fails too and says so.
 */
const makePrivate = async (path: string): Promise<void> => {
  try {
    if ((await statIfThere(dirname(path))) === null) return;
    await createPrivateFile(path, '');
    await tightenFile(path);
  } catch (error) {
    if (!isBridgeError(error)) throw error;
  }
};

/** The database with the rows in it; null when they cannot be written: then they live in memory. */
const fill = (
  db: Database.Database | null,
  rows: readonly CatalogRow[],
  tell: (error: unknown) => void,
): Database.Database | null => {
  try {
    if (db !== null) insert(db, rows);
    return db;
  } catch (error) {
    db?.close();
    mustBeSqlite(error);
    tell(error);
    return null;
  }
};

/** Null when there can be no file. */
const openOrRebuild = async (
  path: string,
  rows: Map<string, CatalogRow>,
  tell: (error: unknown) => void,
): Promise<Database.Database | null> => {
  try {
    await makePrivate(path);
    return openFile(path, rows);
  } catch (error) {
    rows.clear();
    if (!isDamage(error)) {
      mustBeSqlite(error);
      tell(error);
      return null;
    }
  }
  try {
    for (const suffix of ['', '-wal', '-shm', '-journal']) await removeFile(`${path}${suffix}`);
    await makePrivate(path);
    return openFile(path, rows);
  } catch (error) {
    rows.clear();
    // A second file that is damaged too (a bad disk), or one that cannot be removed: there can be none.
    if (!isBridgeError(error) && !isDamage(error)) mustBeSqlite(error);
    tell(error);
    return null;
  }
};

/** What another file would not have: damaged pages, no database, a missing table, a row that cannot be read. */
const isDamage = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB|ERROR|SCHEMA|FORMAT)/.test(error.code));

/** Anything else (a full disk, a lock that others hold, a missing folder) leaves the file as it is. */
const mustBeSqlite = (error: unknown): void => {
  const isMissingFolder = error instanceof TypeError && error.message.includes('directory does not exist');
  if (!(error instanceof Database.SqliteError) && !isMissingFolder) throw error;
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

const erase = (db: Database.Database, paths: readonly string[]): void => {
  const statement = db.prepare('delete from strands where path = ?');
  const all = db.transaction(() => {
    for (const path of paths) statement.run(path);
  });
  all();
};

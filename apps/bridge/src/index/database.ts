/**
 * The file of the index. Disposable: damaged, of another version or newer, it is thrown away and made anew from the
 * sessions. Texts lie in it deflated, for snippets; terms are made by core, SQLite only finds them.
 */
import Database from 'better-sqlite3';
import { removeDatabase } from '../platform/database-file.ts';

const VERSION = '1';

const SCHEMA = `
create table meta (key text primary key, value text not null) without rowid;
create table files (
  id integer primary key, path text not null unique, agent text not null, strand text not null, title text not null,
  cwd text, updated text not null, key text not null
);
create table records (
  id integer primary key, file integer not null, record text not null, turn text, at text not null, role text not null,
  model text, tools text not null, files text not null, changes integer not null, error integer not null, body blob not null,
  unique (file, record)
);
create virtual table terms using fts5(
  words, pieces, content='', contentless_delete=1, tokenize="ascii tokenchars '+#'"
);
`;

/** `notice`: why it was made anew. Fault `io` for anything that making it anew does not mend. */
export const openDatabase = (path: string, notice: (text: string) => void): Database.Database => {
  try {
    const database = prepared(path);
    if (versionOf(database) === VERSION) return database;
    database.close();
    notice('The search index is of another version: it is made anew.');
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    notice('The search index is damaged: it is made anew.');
  }
  removeDatabase(path);
  const database = prepared(path);
  versionOf(database);
  return database;
};

const prepared = (path: string): Database.Database => {
  const database = new Database(path);
  try {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    database.pragma('busy_timeout = 5000');
    database.pragma('cache_size = -32000');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/** An empty file gets the tables. */
const versionOf = (database: Database.Database): string | null => {
  const isEmpty = database.prepare('select 1 from sqlite_master').get() === undefined;
  if (isEmpty) {
    database.transaction(() => {
      database.exec(SCHEMA);
      database.prepare('insert into meta values (?, ?)').run('version', VERSION);
    })();
  }
  const row = database.prepare<[], { value: string }>("select value from meta where key = 'version'").get();
  // A page that is damaged shows when it is read: the first ones are looked at here.
  database.prepare('select count(*) from files').get();
  return row?.value ?? null;
};

/**
 * opencode's database, as one export document a session. The database is never opened where it lies: SQLite would make
 * or change files beside it. A private copy is read, and the log of the last writes with it. The tables of accounts and
 * shares are never looked at.
 */
import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import Database from 'better-sqlite3';
import { makePrivateDir, removeFile } from '../platform/files.ts';
import { openForeign } from '../platform/foreign-file.ts';
import { newName } from '../platform/ids.ts';
import { writeNewFile } from '../platform/new-file.ts';
import { stampOf } from '../platform/stamp.ts';

export interface ExportDocument {
  readonly id: string;
  readonly text: string;
}

const CHUNK_BYTES = 4 * 1024 * 1024;
const ATTEMPTS = 5;

/** What tells whether the database is as it was. Fault `io`. */
export const databaseStamp = (path: string): Promise<string> => stampOf([path, `${path}-wal`]);

/**
 * Each session of the database, one after the other. Faults: `busy` (it changes all the time), `unreadable` (no such
 * database), `io`.
 */
export const readDatabase = async function* (path: string, scratch: string): AsyncGenerator<ExportDocument> {
  const copy = join(scratch, `${newName()}.db`);
  await makePrivateDir(scratch);
  try {
    await copyWhole(path, copy);
    const database = openCopy(copy, path);
    try {
      yield* documentsOf(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw error instanceof Database.SqliteError ? unreadable(path, error) : error;
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) await removeFile(`${copy}${end}`);
  }
};

/** Both files of one moment: when either changed meanwhile, once more. */
const copyWhole = async (path: string, copy: string): Promise<void> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await databaseStamp(path);
    await removeFile(copy);
    await removeFile(`${copy}-wal`);
    await copyFile(path, copy);
    await copyFile(`${path}-wal`, `${copy}-wal`);
    if ((await databaseStamp(path)) === before) return;
  }
  throw new BridgeError('busy', `This database changes while it is copied; try again: ${path}`, {
    data: { path },
  });
};

const copyFile = async (from: string, to: string): Promise<void> => {
  const file = await openForeign(from);
  if (file === null) return;
  try {
    await writeNewFile(to, chunksOf(file));
  } finally {
    await file.close();
  }
};

const chunksOf = async function* (
  file: NonNullable<Awaited<ReturnType<typeof openForeign>>>,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.size; at += CHUNK_BYTES)
    yield await file.read(at, Math.min(CHUNK_BYTES, file.size - at));
};

/** The copy may be written to (its log is taken in), what is in it may not. */
const openCopy = (copy: string, path: string): Database.Database => {
  try {
    const database = new Database(copy, { fileMustExist: true });
    database.pragma('trusted_schema = OFF');
    database.pragma('query_only = ON');
    return database;
  } catch (error) {
    throw unreadable(path, error);
  }
};

const unreadable = (path: string, cause: unknown): BridgeError =>
  new BridgeError('unreadable', `This is no database that can be read: ${path}`, { data: { path }, cause });

type Row = Readonly<Record<string, unknown>>;

const documentsOf = function* (database: Database.Database): Generator<ExportDocument> {
  const sessions = database.prepare<[], Row>('select * from session order by id').all();
  const messages = database.prepare<[string], Row>(
    'select id, data from message where session_id = ? order by time_created, id',
  );
  const parts = database.prepare<[string], Row>('select id, data from part where message_id = ? order by id');
  for (const session of sessions) {
    const id = String(session['id']);
    const said = messages.all(id).map((message) => {
      const own = { ...jsonOf(message['data']), id: message['id'], sessionID: id };
      const ofMessage = parts.all(String(message['id'])).map((part) => {
        return { ...jsonOf(part['data']), id: part['id'], sessionID: id, messageID: message['id'] };
      });
      return { info: own, parts: ofMessage };
    });
    yield { id, text: JSON.stringify({ info: infoOf(session), messages: said }) };
  }
};

const infoOf = (session: Row) => ({
  id: session['id'],
  slug: session['slug'] ?? undefined,
  projectID: session['project_id'] ?? undefined,
  parentID: session['parent_id'] ?? undefined,
  directory: session['directory'] ?? '',
  title: session['title'] ?? '',
  version: session['version'] ?? '',
  time: { created: session['time_created'], updated: session['time_updated'] },
});

/** A damaged row keeps its place, empty: the others are still read. */
const jsonOf = (data: unknown): object => {
  try {
    const value: unknown = JSON.parse(String(data));
    return typeof value === 'object' && value !== null ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
};

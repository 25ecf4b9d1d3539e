/** opencode's database: read in a copy, with its log, and not a byte changes where it lies. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { unfoldDatabases } from '../../src/history/unfold-databases.ts';
import { historyHome, printOf } from './history-kit.ts';

const makeDatabase = (path: string): Database.Database => {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('wal_autocheckpoint = 0');
  database.exec(`
    create table session (id text primary key, project_id text, parent_id text, directory text, title text,
      version text, time_created integer, time_updated integer);
    create table message (id text primary key, session_id text, time_created integer, data text);
    create table part (id text primary key, message_id text, session_id text, data text);
    create table account (id text, secret text);
    insert into account values ('a', 'key-1234');
    insert into session values ('ses_1', 'p', null, '/srv/app', 'First', '1.16.0', 1000, 2000);
    insert into message values ('msg_1', 'ses_1', 1, '{"role":"user"}'), ('msg_2', 'ses_1', 2, 'not json');
    insert into part values ('prt_1', 'msg_1', 'ses_1', '{"type":"text","text":"hello"}');`);
  return database;
};

const documentsIn = (
  dir: string,
): readonly { text: string; value: { info: { id: string }; messages: unknown[] } }[] =>
  readdirSync(dir)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .map((text) => ({ text, value: JSON.parse(text) }));

test('sessions that are only in the log are read, secrets are not, and the folder stays as it was', async () => {
  using home = historyHome();
  const folder = join(home.dir, 'opencode');
  mkdirSync(folder);
  const database = makeDatabase(join(folder, 'opencode.db'));
  try {
    const before = printOf(folder);
    const { dirs, notices } = await unfoldDatabases([folder], join(home.dir, 'cache'));
    expect(printOf(folder)).toEqual(before);
    expect(notices).toEqual([]);
    const [document, ...others] = documentsIn(dirs[0] ?? '');
    expect(others).toEqual([]);
    expect(document?.value).toMatchObject({
      info: { id: 'ses_1', directory: '/srv/app', time: { created: 1000, updated: 2000 } },
      messages: [
        { info: { id: 'msg_1', role: 'user', sessionID: 'ses_1' }, parts: [{ id: 'prt_1', text: 'hello' }] },
        { info: { id: 'msg_2' }, parts: [] },
      ],
    });
    expect(document?.text).not.toContain('key-1234');
  } finally {
    database.close();
  }
});

test('a database that is closed, in WAL mode and without a log gets none by being read', async () => {
  using home = historyHome();
  const folder = join(home.dir, 'opencode');
  mkdirSync(folder);
  makeDatabase(join(folder, 'opencode.db')).close();
  const before = printOf(folder);
  expect(before).toHaveLength(1);
  const { dirs } = await unfoldDatabases([folder], join(home.dir, 'cache'));
  expect(documentsIn(dirs[0] ?? '')).toHaveLength(1);
  expect(printOf(folder)).toEqual(before);
});

test('only what changed is written again, what was deleted goes, what is no database is told', async () => {
  using home = historyHome();
  const folder = join(home.dir, 'opencode');
  mkdirSync(folder);
  const database = makeDatabase(join(folder, 'opencode.db'));
  const cache = join(home.dir, 'cache');
  const [dir = ''] = (await unfoldDatabases([folder], cache)).dirs;
  const before = printOf(dir);
  await unfoldDatabases([folder], cache);
  expect(printOf(dir)).toEqual(before);
  database.exec("delete from session; insert into session (id, directory) values ('ses_2', '/srv')");
  database.close();
  writeFileSync(join(folder, 'opencode-dev.db'), 'x'.repeat(5000));
  const { notices } = await unfoldDatabases([folder], cache);
  expect(documentsIn(dir).map(({ value }) => value.info.id)).toEqual(['ses_2']);
  expect(notices).toEqual([expect.stringContaining('opencode-dev.db')]);
});

/** What the index answers is what reading everything would answer, and nothing that is typed makes it fail. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textMatches } from '@skein/core/search/matches';
import { parseQuery } from '@skein/core/search/query';
import type Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/index/database.ts';
import { find } from '../../src/index/find.ts';
import { createIndexWriter } from '../../src/index/put-records.ts';
import { fileOf, said, tempFolder } from './index-kit.ts';

const LONG = process.env['SKEIN_TEST_LONG'] === '1';
const WORDS = [
  'auth',
  'getUserById',
  'user_name',
  '日本語',
  'src/foo/bar.ts:42',
  'C++',
  'don’t',
  'naïve',
  'E404',
  'x',
  '🎉',
  'AUTH',
];
const QUERIES = [
  ...WORDS,
  'user',
  'id',
  'userbyid',
  '日',
  '本語',
  'bar.ts',
  'c',
  'dont',
  'naive',
  'aut*',
  '-auth',
  'auth OR x',
  '"auth x"',
  'foo',
  '#',
];

const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 0, maxLength: 8 })
  .map((words) => words.join(' '));
const query = fc
  .array(fc.constantFrom(...QUERIES), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '));

const ask = (database: Database.Database, typed: string) =>
  find(database, { query: typed, limit: 200, nowMs: Date.now() });

test('every answer is what reading everything gives', () => {
  using folder = tempFolder();
  let run = 0;
  fc.assert(
    fc.property(
      fc.array(fc.array(text, { maxLength: 6 }), { maxLength: 5 }),
      fc.array(query, { maxLength: 6 }),
      (sessions, queries) => {
        run += 1;
        const database = openDatabase(join(folder.dir, `${run}.sqlite`), () => undefined);
        const writer = createIndexWriter(database);
        for (const [at, texts] of sessions.entries()) {
          const file = fileOf(`/s/${at}.jsonl`);
          const records = texts.map((one, index) => said(`${at}/${index}`, one));
          writer.begin(file, true).add(records.map((record) => ({ kind: 'record', record, line: 1 })));
          writer.finish(file);
        }
        for (const typed of queries) {
          const parsed = parseQuery(typed);
          // Nothing asked for is nothing found, and what holds no text is not in the index.
          const isEmpty = parsed.all.length + parsed.none.length === 0;
          const wanted = sessions.flatMap((texts, at) => {
            const count = texts.filter((one) => one !== '' && !isEmpty && textMatches(parsed, [one])).length;
            return count === 0 ? [] : [[fileOf(`/s/${at}.jsonl`).strand, count]];
          });
          const { groups, total } = ask(database, typed);
          expect(groups.map(({ strand, count }) => [strand, count]).toSorted()).toEqual(wanted.toSorted());
          expect(total).toBe(wanted.reduce((sum, [, count]) => sum + Number(count), 0));
        }
        database.close();
      },
    ),
    { numRuns: LONG ? 3000 : 60 },
  );
});

const ODD = [
  '',
  ' ',
  '*',
  '-',
  '"',
  '""',
  '"open',
  'OR',
  'AND',
  'NEAR(',
  '(',
  'col:x',
  'agent:',
  'wrong-book',
  '-foo',
  'src/foo',
  'C++',
  "don't",
  'foo AND',
  'NEAR(a b, 3)',
  '^a',
  'words:a',
  '{words}:a',
  're:/(/',
  're:/a/gy',
  '\u0000',
  'a\u0000b',
  '%',
  '_',
  '😀',
  '\ud800',
  'a'.repeat(4000),
  '"'.repeat(501),
  '__proto__',
  'has:',
  'has:nothing',
  'before:yesterday',
  "'; drop table files; --",
];

test.each(ODD)('%j is answered', (typed) => {
  using folder = tempFolder();
  const database = openDatabase(join(folder.dir, 'i.sqlite'), () => undefined);
  createIndexWriter(database)
    .begin(fileOf('/a'), true)
    .add([{ kind: 'record', record: said('a', 'some text'), line: 1 }]);
  expect(ask(database, typed).total).toBeGreaterThanOrEqual(0);
  expect(ask(database, 'text').total).toBe(1);
  database.close();
});

test('filters, a regular expression, and a record that two sessions share', () => {
  using folder = tempFolder();
  const database = openDatabase(join(folder.dir, 'i.sqlite'), () => undefined);
  const writer = createIndexWriter(database);
  const put = (path: string, more: Parameters<typeof fileOf>[1], ...keys: readonly string[]): void => {
    const records = keys.map((key) => said(key, `the word ${key}`));
    writer
      .begin(fileOf(path, more), true)
      .add(records.map((record) => ({ kind: 'record', record, line: 1 })));
  };
  put('/a', { agent: 'codex', cwd: '/srv/app' }, 'one', 'two');
  put('/b', { agent: 'pi', cwd: '/srv/app-2' }, 'two', 'three');
  const count = (typed: string): number => ask(database, typed).total;
  expect(count('word')).toBe(3);
  expect(count('word agent:codex')).toBe(2);
  expect(count('word -agent:codex')).toBe(2);
  expect(count('word in:/srv/app')).toBe(2);
  expect(count('word role:answer')).toBe(0);
  expect(count('word before:2026-01-05')).toBe(0);
  expect(count('word after:2026-01-04')).toBe(3);
  expect(count('re:/t(wo|hree)/')).toBe(2);
  const [first] = ask(database, 'three').groups;
  expect(first?.hits[0]?.snippet).toBe('the word three');
  expect(first?.hits[0]?.marks).toEqual([[9, 14]]);
  database.close();
});

test.each([
  [
    'is no database',
    (path: string) => writeFileSync(path, 'this is no database, not even a short one, by far not'),
  ],
  [
    'is of another version',
    (path: string) => {
      const database = openDatabase(path, () => undefined);
      database.prepare("update meta set value = '99'").run();
      database.close();
    },
  ],
])('a file that %s is made anew, and that is said', (_how, spoil) => {
  using folder = tempFolder();
  const path = join(folder.dir, 'i.sqlite');
  spoil(path);
  const notices: string[] = [];
  const database = openDatabase(path, (one) => notices.push(one));
  expect(notices).toHaveLength(1);
  expect(ask(database, 'anything').total).toBe(0);
  database.close();
});

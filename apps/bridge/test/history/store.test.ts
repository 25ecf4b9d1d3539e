/** Finding and opening other tools' sessions, while those tools go on writing. */
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { AnyReader } from '@skein/core/import/reader';
import { readers } from '@skein/core/import/readers';
import { expect, test } from 'vitest';
import { historyHome, printOf } from './history-kit.ts';
import { headerLine, messageLine, sessionId, tinyReaders } from './tiny-reader.ts';

const textsOf = (opened: { records: readonly unknown[] } | null): readonly string[] =>
  (opened?.records ?? []).flatMap((record) => {
    const { parts } = record as { parts?: readonly { text: string }[] };
    return parts === undefined ? [] : parts.map(({ text }) => text);
  });

test('sessions of both kinds of files are found with what a row says of them', async () => {
  using home = historyHome();
  writeFileSync(
    join(home.lines, 'a.jsonl'),
    `${headerLine('a', '/srv/app')}${messageLine('1', 'Fix it')}not json\n{"new":1}\n${messageLine('2', 'Done', 'assistant')}`,
  );
  writeFileSync(join(home.documents, 'b.json'), '[{"session":"b"},{"id":"1","text":"Hello"}]');
  writeFileSync(join(home.documents, 'settings.json'), '{"theme":"dark"}');
  const { sessions, notices } = await (await home.open()).list();
  expect(notices).toEqual([]);
  expect(sessions.map(({ id }) => id).toSorted()).toEqual([sessionId('a'), sessionId('b')].toSorted());
  expect(sessions.find(({ id }) => id === sessionId('a'))).toMatchObject({
    agent: 'pi',
    title: 'Fix it',
    cwd: '/srv/app',
    prompts: 1,
    messages: 2,
    model: 'm1',
    tokens: { input: 2, output: 1 },
    cost: 0.5,
    problems: 1,
    unknown: 1,
    gone: false,
  });
});

test('a file that grew is read on from where it was left; an unfinished line waits, unless it is whole', async () => {
  using home = historyHome();
  const file = join(home.lines, 'a.jsonl');
  writeFileSync(file, headerLine('a') + messageLine('1'));
  const lines: number[] = [];
  const history = await home.open(counting(lines));
  await history.list();
  const half = Buffer.from(messageLine('2', 'höhe'));
  appendFileSync(file, half.subarray(0, half.indexOf(0xb6)));
  expect(textsOf(await history.open(sessionId('a')))).toEqual(['1']);
  appendFileSync(file, half.subarray(half.indexOf(0xb6), -1));
  const whole = await history.open(sessionId('a'));
  expect(textsOf(whole)).toEqual(['1', 'höhe']);
  lines.length = 0;
  appendFileSync(file, `\n${messageLine('3')}`);
  const grown = await history.open(sessionId('a'));
  expect(textsOf(grown)).toEqual(['1', 'höhe', '3']);
  expect(grown?.generation).toBe(whole?.generation);
  expect(lines).toEqual([3, 4]);
});

test.each([
  [
    'rewritten in place',
    (file: string) => writeFileSync(file, headerLine('a') + messageLine('9', 'other') + messageLine('8')),
  ],
  ['cut short', (file: string) => truncateSync(file, headerLine('a').length)],
  [
    'replaced by a longer one with the times of the old',
    (file: string) => {
      writeFileSync(`${file}.new`, headerLine('a') + messageLine('7').repeat(50));
      utimesSync(`${file}.new`, 1, 1);
      renameSync(`${file}.new`, file);
    },
  ],
])('a file that was %s is read anew and its readers start over', async (_how, change) => {
  using home = historyHome();
  const file = join(home.lines, 'a.jsonl');
  writeFileSync(file, headerLine('a') + messageLine('1') + messageLine('2'));
  const history = await home.open();
  const before = await history.open(sessionId('a'));
  change(file);
  const after = await history.open(sessionId('a'));
  expect(after?.generation).toBe((before?.generation ?? 0) + 1);
  expect(textsOf(after)).toEqual(textsOf(await (await home.open()).open(sessionId('a'))));
});

test('a second start reads no file again, a renamed file stays the same session, a removed one goes', async () => {
  using home = historyHome();
  for (const name of ['a', 'b']) writeFileSync(join(home.lines, `${name}.jsonl`), headerLine(name));
  await (await home.open()).list();
  const lines: number[] = [];
  const again = await home.open(counting(lines));
  expect((await again.list()).sessions).toHaveLength(2);
  expect(lines).toEqual([]);
  renameSync(join(home.lines, 'a.jsonl'), join(home.lines, 'c.jsonl'));
  rmSync(join(home.lines, 'b.jsonl'));
  const { sessions } = await again.list();
  expect(sessions.map(({ id, path }) => [id, path])).toEqual([[sessionId('a'), join(home.lines, 'c.jsonl')]]);
});

test('a damaged catalogue is made anew', async () => {
  using home = historyHome();
  writeFileSync(join(home.lines, 'a.jsonl'), headerLine('a'));
  await (await home.open()).list();
  writeFileSync(join(home.dir, 'data', 'history.json'), '{"v":1,"rows":{"x":7}}');
  expect((await (await home.open()).list()).sessions).toHaveLength(1);
});

test('two files that carry one session are two rows, the larger keeps the id', async () => {
  using home = historyHome();
  writeFileSync(join(home.lines, 'a.jsonl'), headerLine('a') + messageLine('1'));
  writeFileSync(join(home.lines, 'b.jsonl'), headerLine('a'));
  const history = await home.open();
  const { sessions } = await history.list();
  expect(sessions.find(({ id }) => id === sessionId('a'))?.path).toBe(join(home.lines, 'a.jsonl'));
  const other = sessions.find(({ id }) => id !== sessionId('a'));
  expect(other?.path).toBe(join(home.lines, 'b.jsonl'));
  if (other === undefined) throw new Error('no second row');
  expect((await history.open(other.id))?.records[0]).toMatchObject({ kind: 'header', strand: other.id });
});

test('bombs and things that are no files stop nothing, and the tool’s folder stays as it was', async () => {
  using home = historyHome();
  const bad = (name: string): string => join(home.lines, name);
  writeFileSync(bad('good.jsonl'), headerLine('good'));
  writeFileSync(bad('sparse.jsonl'), headerLine('sparse'));
  truncateSync(bad('sparse.jsonl'), (process.env['SKEIN_TEST_LONG'] === '1' ? 10 : 2) * 1024 ** 3);
  writeFileSync(bad('long.jsonl'), headerLine('long'));
  for (let i = 0; i < 50; i += 1) appendFileSync(bad('long.jsonl'), Buffer.alloc(4 * 1024 ** 2, 'x'));
  appendFileSync(bad('long.jsonl'), `\n${messageLine('after')}`);
  const deep = `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`;
  writeFileSync(bad('deep.jsonl'), `${headerLine('deep')}${deep}\n{"__proto__":{"polluted":1}}\n\0\0\0\n`);
  execFileSync('mkfifo', [bad('pipe.jsonl')]);
  mkdirSync(bad('folder'));
  symlinkSync('..', bad(join('folder', 'loop')));
  symlinkSync('/dev/zero', bad('zero.jsonl'));
  const before = printOf(join(home.dir, 'tool'));
  const history = await home.open();
  const { sessions, notices } = await history.list();
  expect(notices).toEqual([]);
  const rows = new Map(sessions.map((session) => [session.id, session]));
  expect([...rows.keys()].toSorted()).toEqual(['good', 'sparse', 'long', 'deep'].map(sessionId).toSorted());
  expect(rows.get(sessionId('long'))).toMatchObject({ prompts: 1, problems: 1 });
  expect(textsOf(await history.open(sessionId('long')))).toEqual(['after']);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
  expect(printOf(join(home.dir, 'tool'))).toEqual(before);
});

test('a session whose file may not be read is told, the others are listed', async () => {
  using home = historyHome();
  writeFileSync(join(home.lines, 'a.jsonl'), headerLine('a'));
  mkdirSync(join(home.lines, 'x'.repeat(200)), { mode: 0o000 });
  const { sessions, notices } = await (await home.open()).list();
  expect(sessions).toHaveLength(1);
  // The superuser reads everything.
  expect(notices).toHaveLength(process.getuid?.() === 0 ? 0 : 1);
});

test('a look at 5000 files that are as they were opens none of them', async () => {
  using home = historyHome();
  for (let n = 0; n < 5000; n += 1) writeFileSync(join(home.lines, `${n}.jsonl`), headerLine(String(n)));
  const lines: number[] = [];
  const history = await home.open(counting(lines));
  expect((await history.list()).sessions).toHaveLength(5000);
  lines.length = 0;
  appendFileSync(join(home.lines, '7.jsonl'), messageLine('1'));
  expect((await history.list()).sessions).toHaveLength(5000);
  // Of 5000 files only the last few are remembered with their state: this one is read whole.
  expect(lines).toEqual([1, 2]);
});

test('another process may write, rename and replace while a session is read: it ends as the file is', async () => {
  using home = historyHome();
  const file = join(home.lines, 'a.jsonl');
  writeFileSync(file, headerLine('a'));
  const script = `
    const fs = require('node:fs');
    const file = ${JSON.stringify(file)};
    const line = (id) => JSON.stringify({ id, text: 'ö'.repeat(50) + id }) + '\\n';
    for (let n = 0; n < 400; n += 1) {
      const bytes = Buffer.from(line('m' + n));
      fs.appendFileSync(file, bytes.subarray(0, 31));
      fs.appendFileSync(file, bytes.subarray(31));
      if (n % 100 === 99) {
        fs.writeFileSync(file + '.tmp', ${JSON.stringify(headerLine('a'))} + line('r' + n).repeat(3));
        fs.renameSync(file + '.tmp', file);
      }
    }
    fs.appendFileSync(file, line('last'));`;
  const child = spawn(process.execPath, ['-e', script], { stdio: 'inherit' });
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let running = true;
  const ended = over.then(() => {
    running = false;
  });
  const history = await home.open();
  while (running) {
    await history.open(sessionId('a'));
    await history.list();
  }
  await ended;
  const seen = await history.open(sessionId('a'));
  const fresh = await (await home.open()).open(sessionId('a'));
  expect(textsOf(seen)).toEqual(textsOf(fresh));
  expect(textsOf(seen).at(-1)).toBe(`${'ö'.repeat(50)}last`);
  expect(seen?.session.problems).toBe(0);
});

test('the catalogue is private', async () => {
  using home = historyHome();
  writeFileSync(join(home.lines, 'a.jsonl'), headerLine('a'));
  await (await home.open()).list();
  expect(statSync(join(home.dir, 'data', 'history.json')).mode & 0o777).toBe(0o600);
});

/** The tiny readers, noting the number of each line that they are given. */
const counting = (lines: number[]): ReadonlyMap<'pi' | 'gemini', AnyReader> =>
  new Map(
    [...tinyReaders].map(([agent, reader]) => [
      agent,
      {
        ...reader,
        read(state, text, line) {
          lines.push(line);
          return reader.read(state as never, text, line);
        },
      } satisfies AnyReader,
    ]),
  );

test('a document on several lines without a newline at its end is read whole', async () => {
  using home = historyHome();
  const messages = [{ id: 'm', type: 'user', content: 'the prompt' }];
  const text = JSON.stringify({ sessionId: 's', projectHash: 'p', messages }, null, 2);
  writeFileSync(join(home.documents, 'session-one.json'), text);
  const { sessions } = await (await home.open(readers)).list();
  expect(sessions.map(({ agent, title }) => [agent, title])).toEqual([['gemini', 'the prompt']]);
});

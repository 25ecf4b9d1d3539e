import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textMatches } from './matches.ts';
import { parseQuery } from './query.ts';
import { snippetOf } from './snippet.ts';
import { termsOf, wordsOf } from './tokenize.ts';

const finds = (query: string, ...texts: readonly string[]): boolean => textMatches(parseQuery(query), texts);

test.each([
  ['userbyid', 'call getUserById(7)'],
  ['user', 'call getUserById(7)'],
  ['getUserById', 'def get_user_by_id():'],
  ['src/foo/bar.ts:42', 'see src/foo/bar.ts:42 there'],
  ['bar.ts', 'see src/foo/bar.ts:42 there'],
  ['C++', 'written in C++.'],
  ['c', 'written in C++.'],
  ['C#', 'a C# file'],
  ["don't", 'I don’t know'],
  ['dont', "I don't know"],
  ['ENOENT', 'Error: enoent: no such file'],
  ['E1101', 'pylint E1101'],
  ['日本', 'これは日本語です'],
  ['語', '日本語text'],
  ['text', '日本語text'],
  ['café', 'the cafe\u0301 is open'],
  ['cafe', 'the café is open'],
  ['ＡＢＣ', 'abc'],
  ['🎉', 'done 🎉'],
  ['"auth middleware"', 'the auth middleware fails'],
  ['midd*', 'the auth middleware fails'],
  ['wrong OR auth', 'the auth middleware fails'],
  ['httprequest', 'new XMLHttpRequest()'],
])('%s finds “%s”', (query, text) => {
  expect(finds(query, text)).toBe(true);
});

test.each([
  ['"middleware auth"', 'the auth middleware fails'],
  ['auth -fails', 'the auth middleware fails'],
  ['iddle', 'the auth middleware fails'],
  ['本日', '日本'],
  ['"one two"', 'one'],
  ['C++', 'plain C'],
])('%s does not find “%s”', (query, text) => {
  expect(finds(query, text)).toBe(false);
});

test('a phrase does not reach from one text into the next', () => {
  expect(finds('"one two"', 'one', 'two')).toBe(false);
  expect(finds('one two', 'one', 'two')).toBe(true);
});

test.each([
  '',
  ' ',
  '*',
  '-',
  '--',
  '"',
  '""',
  '"open',
  'OR',
  'OR OR',
  'a OR',
  'AND',
  'foo AND',
  'NEAR(',
  '(',
  ')',
  'col:x',
  ':',
  'agent:',
  'wrong-book',
  '-foo',
  'src/foo',
  'C++',
  "don't",
  're:/(/',
  're:/a/gy',
  're:',
  '\u0000',
  '%',
  '_',
  '😀',
  '\ud800',
  'a'.repeat(10_000),
  '"'.repeat(501),
  're:/(a+)+$/',
  '__proto__',
  'has:',
  'before:yesterday',
])('%j means something', (typed) => {
  const query = parseQuery(typed);
  textMatches(query, ['some text']);
  expect(query.all.every((alternatives) => alternatives.length > 0)).toBe(true);
});

test('filters are taken out of the words, by name, quoted, and turned round', () => {
  const { filters, all } = parseQuery('agent:codex -tool:bash in:"/srv/my app" nofilter:x word');
  expect(filters).toEqual([
    { name: 'agent', value: 'codex', isNot: false },
    { name: 'tool', value: 'bash', isNot: true },
    { name: 'in', value: '/srv/my app', isNot: false },
  ]);
  expect(all.flat().map(({ words }) => words)).toEqual([['nofilter', 'x'], ['word']]);
});

test('a regular expression that is none is left out and told', () => {
  expect(parseQuery('re:/a(b/')).toMatchObject({
    regex: null,
    hints: [expect.stringContaining('no regular expression')],
  });
  expect(parseQuery('re:/a\\/b/i word')).toMatchObject({ regex: { source: 'a\\/b', flags: 'i' } });
});

const text = fc.string({ unit: 'grapheme', maxLength: 300 });

test('every word of a text finds it, by the word and by each of its pieces', () => {
  fc.assert(
    fc.property(text, (written) => {
      const { words, pieces } = termsOf(written);
      for (const word of [...words, ...pieces])
        expect(textMatches({ all: [[{ words: [word], isPrefix: false }]], none: [] }, [written])).toBe(true);
    }),
  );
});

test('words lie where they say, in order, and fold the same when the text is composed or not', () => {
  fc.assert(
    fc.property(text, (written) => {
      let last = 0;
      for (const { start, end } of wordsOf(written)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        last = end;
      }
      const folded = (form: string): readonly string[] => [...wordsOf(form)].map(({ term }) => term);
      expect(folded(written.normalize('NFC')).join('')).toBe(folded(written.normalize('NFD')).join(''));
    }),
  );
});

test('a snippet shows the word that was looked for, marked, and is well-formed', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const written = `${before} needle ${after}`;
      const { text: shown, marks } = snippetOf(written, [{ words: ['needle'], isPrefix: false }]);
      expect(shown.isWellFormed()).toBe(written.isWellFormed());
      expect(marks.map(([start, end]) => shown.slice(start, end))).toContain('needle');
    }),
  );
});

test('a query takes time in proportion to its length, whatever is in it', () => {
  for (const char of ['a', ' ', '"', '-', ':', '/', '\\', 're:/', '(']) parseQuery(char.repeat(50_000));
  expect(snippetOf('a'.repeat(500_000), [{ words: ['b'], isPrefix: false }]).marks).toEqual([]);
});

import { expect, test } from 'vitest';
import { rank, scoreOf, searched, wordsOf } from './match.ts';

const score = (query: string, title: string, detail = '') => scoreOf(searched(title, detail), wordsOf(query));

test('all words must be there, in any order, whatever their case', () => {
  expect(score('flaky BILL', 'Fix the flaky test in billing')).toBeGreaterThan(0);
  expect(score('flaky css', 'Fix the flaky test in billing')).toBe(0);
  expect(score('api codex', 'Fix it', 'acme/api · codex')).toBeGreaterThan(0);
});

test('the start, then the start of a word, then the title, then the detail', () => {
  const scores = [
    score('fix', 'Fix it'),
    score('fix', 'To fix it'),
    score('fix', 'Prefixes'),
    score('fix', 'Other', 'prefix'),
  ];
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(new Set(scores).size).toBe(4);
});

test.each([
  ['ffb', 'Fix flaky billing', true],
  ['rwrk', 'Auth rework', true],
  ['autrew', 'Auth rework', true],
  ['ework', 'Auth rework', true],
  ['wrk', 'Auth rework', false],
  ['zz', 'Fuzzy', true],
  ['fb', 'Fix billing', false],
  ['über', 'Die Übersicht', true],
])('the letters %j in %j', (query, title, fits) => {
  expect(score(query, title) > 0).toBe(fits);
});

test('a whole word is better than its letters', () => {
  expect(score('auth', 'Auth rework')).toBeGreaterThan(score('athrwk', 'Auth rework'));
});

test('the best come first, the newest of equals, and the rest is counted', () => {
  const all = ['To fix b', 'Fix a', 'To fix c', 'Other', 'Fix d'].map((item) => ({
    item,
    text: searched(item),
  }));
  expect(rank(all, 'fix', 3)).toMatchObject({ items: ['Fix a', 'Fix d', 'To fix b'], total: 4 });
  expect(rank(all, ' ', 2)).toMatchObject({ items: ['To fix b', 'Fix a'], total: 5 });
});

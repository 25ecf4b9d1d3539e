import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { movedTab, neighbourOf, reopened, type Tabs, withoutTab, withTab } from './tabs.ts';

const id = (letter: string) => letter.repeat(12) as StrandId;
const tabs = (letters: string): Tabs => ({ open: [...letters].map(id), closed: [] });
const shown = ({ open }: Tabs) => open.map((tab) => tab[0]).join('');

test('a session opens beside the one it was opened from, and only once', () => {
  expect(shown(withTab(tabs('abc'), id('d'), id('a')))).toBe('adbc');
  expect(shown(withTab(tabs('abc'), id('d'), null))).toBe('abcd');
  expect(shown(withTab(tabs('abc'), id('b'), id('a')))).toBe('abc');
});

test('closed tabs come back where they were, newest first', () => {
  const closed = withoutTab(withoutTab(tabs('abc'), id('b')), id('a'));
  expect(shown(closed)).toBe('c');
  const once = reopened(closed);
  expect([once.id?.[0], shown(once.tabs)]).toEqual(['a', 'ac']);
  const twice = reopened(once.tabs);
  expect([twice.id?.[0], shown(twice.tabs)]).toEqual(['b', 'abc']);
  expect(reopened(twice.tabs).id).toBeNull();
});

test('closing shows the right neighbour, else the left one', () => {
  const { open } = tabs('abc');
  expect([neighbourOf(open, id('a')), neighbourOf(open, id('c'))]).toEqual([id('b'), id('b')]);
  expect(neighbourOf(tabs('a').open, id('a'))).toBeNull();
});

test('a moved tab stands before another one or at the end', () => {
  expect(shown(movedTab(tabs('abcd'), id('d'), id('b')))).toBe('adbc');
  expect(shown(movedTab(tabs('abcd'), id('a'), null))).toBe('bcda');
  const same = tabs('abcd');
  expect(movedTab(same, id('a'), id('b'))).toBe(same);
});

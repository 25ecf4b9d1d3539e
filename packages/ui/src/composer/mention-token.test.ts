import { expect, test } from 'vitest';
import { completeMention, mentionAt, mentionsIn, pathsNamedIn, removeMention } from './mention-token.ts';

test.each([
  ['look at @src/a', 14, { start: 8, query: 'src/a' }],
  ['@', 1, { start: 0, query: '' }],
  ['(@x', 3, { start: 1, query: 'x' }],
  ['mail ana@acme', 13, null],
  ['@a b', 4, null],
  ['@src/a.ts and more', 9, { start: 0, query: 'src/a.ts' }],
  ['', 0, null],
])('in %j at %i', (text, caret, token) => {
  expect(mentionAt(text, caret)).toEqual(token);
});

test('completing puts the path and one space, and the caret behind it', () => {
  const token = { start: 8, query: 'sr' };
  expect(completeMention('look at @sr', token, 'src/a.ts')).toEqual({
    text: 'look at @src/a.ts ',
    caret: 18,
  });
  expect(completeMention('look at @sr now', token, 'src/a.ts')).toEqual({
    text: 'look at @src/a.ts now',
    caret: 18,
  });
});

test('a path that was deleted from the text is not sent along', () => {
  expect(mentionsIn('see @a.ts', ['a.ts', 'b.ts', 'a.ts'])).toEqual(['a.ts']);
});

test('the longest query is still found, a longer one is none', () => {
  const text = `see @${'a'.repeat(200)}`;
  expect(mentionAt(text, text.length)).toEqual({ start: 4, query: 'a'.repeat(200) });
  expect(mentionAt(`${text}a`, text.length + 1)).toBeNull();
});

test('a mention is found at the end of a very long text', () => {
  const text = `${'x '.repeat(200_000)}@end`;
  expect(mentionAt(text, text.length)).toEqual({ start: 400_000, query: 'end' });
});

test('a longer path is another path', () => {
  expect(mentionsIn('@src/app.tsx @src/b.ts.map', ['src/app.ts', 'src/b.ts'])).toEqual([]);
  expect(mentionsIn('@src/app.tsx, then @src/app.ts!', ['src/app.ts'])).toEqual(['src/app.ts']);
  expect(mentionsIn('@b and @a.', ['a', 'b', 'a', 'gone'])).toEqual(['a', 'b']);
});

test('removing a mention leaves the others and the words around it', () => {
  expect(removeMention('see @a.ts and @a.tsx', 'a.ts')).toBe('see and @a.tsx');
  expect(removeMention('@a @b @a', 'a')).toBe('@b ');
});

test('a kept draft tells what it may name, without the punctuation', () => {
  expect(pathsNamedIn('see @src/a.ts, (@b/c.md) and me@x.org; @src/a.ts.')).toEqual(['src/a.ts', 'b/c.md']);
  expect(pathsNamedIn('no mention')).toEqual([]);
});

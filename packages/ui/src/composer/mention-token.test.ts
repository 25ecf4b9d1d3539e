import { expect, test } from 'vitest';
import { completeMention, mentionAt, mentionsIn } from './mention-token.ts';

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

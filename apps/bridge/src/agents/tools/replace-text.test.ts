import { expect, test } from 'vitest';
import { replaceText } from './replace-text.ts';

const edit = (text: string, old: string, next: string, all = false) =>
  replaceText(text, { old, new: next, all });

test('one exact place is replaced, dollar signs and all', () => {
  expect(edit('a(b)c', '(b)', '$& $1')).toEqual({ kind: 'replaced', text: 'a$& $1c', count: 1 });
});

test('a text found twice is refused unless all are wanted', () => {
  expect(edit('x x', 'x', 'y')).toMatchObject({
    kind: 'impossible',
    reason: expect.stringContaining('2 times'),
  });
  expect(edit('x x', 'x', 'y', true)).toEqual({ kind: 'replaced', text: 'y y', count: 2 });
});

test('line ends of the file are kept, whichever the model used', () => {
  expect(edit('a\r\nb\r\nc\n', 'a\nb', '1\n2\n3')).toMatchObject({ text: '1\r\n2\r\n3\r\nc\n' });
  expect(edit('a\nb\n', 'a\r\nb', '1\r\n2')).toMatchObject({ text: '1\n2\n' });
});

test('a byte order mark and odd letters around the place stay', () => {
  expect(edit('\ufeffé😀 old é', 'old', 'new')).toMatchObject({ text: '\ufeffé😀 new é' });
});

test.each([
  ['', 'x', 'empty'],
  ['x', 'x', 'the same'],
  ['nowhere', 'x', 'not found'],
])('%j to %j is refused: %s', (old, next, reason) => {
  expect(edit('text', old, next)).toMatchObject({
    kind: 'impossible',
    reason: expect.stringContaining(reason),
  });
});

test('every character with a meaning in patterns is taken as it is', () => {
  const odd = '.*+?^$' + '{}()|[]\\/-';
  expect(edit(`<${odd}>`, odd, 'x')).toMatchObject({ text: '<x>' });
});

import { expect, test } from 'vitest';
import { missingText } from './missing-text.ts';

test('what was printed is not printed again', () => {
  expect(missingText('', 'hello')).toBe('hello');
  expect(missingText('hel', 'hello')).toBe('lo');
  expect(missingText('hello', 'hello')).toBe('');
});

test('white space between blocks does not count', () => {
  expect(missingText('one\n\ntwo', 'one\ntwo three')).toBe(' three');
  expect(missingText('one\ntwo\n', 'one two')).toBe('');
});

test('when a piece was lost, the whole message follows', () => {
  expect(missingText('one three', 'one two three')).toBe('\none two three');
});

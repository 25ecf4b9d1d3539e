import { expect, test } from 'vitest';
import { isRacyAt } from './read-entry.ts';

const NOW = 1_700_000_000_123;

test('a time so near that another write could bear it too is racy', () => {
  expect(isRacyAt(NOW, NOW)).toBe(true);
  expect(isRacyAt(NOW - 49, NOW)).toBe(true);
  expect(isRacyAt(NOW - 51, NOW)).toBe(false);
});

test('a time in the future is racy: clocks differ', () => {
  expect(isRacyAt(NOW + 10_000, NOW)).toBe(true);
});

test('a file system of whole seconds is given two of them', () => {
  expect(isRacyAt(1_699_999_999_000, NOW)).toBe(true);
  expect(isRacyAt(1_699_999_998_000, NOW)).toBe(false);
});

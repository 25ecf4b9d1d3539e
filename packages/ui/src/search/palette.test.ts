import { expect, test } from 'vitest';
import { rank } from './palette.tsx';

test('all words must be there, in any order, whatever their case', () => {
  expect(rank('', 'flaky BILL', ['Fix the flaky test in billing'])).toBeGreaterThan(0);
  expect(rank('', 'flaky css', ['Fix the flaky test in billing'])).toBe(0);
  expect(rank('', 'fix', ['Fix it'])).toBeGreaterThan(rank('', 'it', ['Fix it']));
});

test('an id is never searched', () => {
  expect(rank('strand a1b2', 'a1b2', ['Title'])).toBe(0);
});

import { expect, test } from 'vitest';
import { formatAgo, formatBytes, formatCost, formatDuration, formatTokens, plural } from './format.ts';

test('sizes, durations, tokens and money are short', () => {
  expect([0, 812, 4200, 12_900_000].map(formatBytes)).toEqual(['0 B', '812 B', '4.1 KB', '12 MB']);
  expect([340, 4200, 192_000, 3_840_000].map(formatDuration)).toEqual([
    '340 ms',
    '4.2 s',
    '3 min 12 s',
    '1 h 4 min',
  ]);
  expect([840, 12_400, 99_960, 1_240_000].map(formatTokens)).toEqual(['840', '12.4k', '100k', '1.2M']);
  expect([0, 0.0042, 0.31, 12.4].map(formatCost)).toEqual(['$0', '$0.0042', '$0.31', '$12.40']);
  expect([plural(1, 'file'), plural(12_400, 'file')]).toEqual(['1 file', '12,400 files']);
});

test('the past is near first, then a date', () => {
  const now = Date.parse('2026-03-04T10:00:00.000Z');
  const ago = (at: string) => formatAgo(at, now);
  expect(ago('2026-03-04T09:59:40.000Z')).toBe('now');
  expect(ago('2026-03-04T09:15:00.000Z')).toBe('45 min');
  expect(ago('2026-03-03T09:00:00.000Z')).toBe('1 d');
  expect(ago('2026-01-10T12:00:00.000Z')).toBe('10 Jan');
  expect(ago('2024-01-10T12:00:00.000Z')).toBe('10 Jan 2024');
  expect(ago('nonsense')).toBe('');
});

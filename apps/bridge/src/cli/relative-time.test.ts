import { expect, test } from 'vitest';
import { relativeTime } from './relative-time.ts';

test('a moment is told in one short unit', () => {
  const now = Date.parse('2026-06-20T12:00:00.000Z');
  expect(relativeTime('2026-06-20T11:59:30.000Z', now)).toBe('now');
  expect(relativeTime('2026-06-20T12:00:05.000Z', now)).toBe('now');
  expect(relativeTime('2026-06-20T11:57:00.000Z', now)).toBe('3 min ago');
  expect(relativeTime('2026-06-20T02:00:00.000Z', now)).toBe('10 h ago');
  expect(relativeTime('2026-06-01T12:00:00.000Z', now)).toBe('19 d ago');
  expect(relativeTime('2026-01-02T12:00:00.000Z', now)).toBe('2026-01-02');
  expect(relativeTime('some day', now)).toBe('some day');
});

/** Which saved versions go, and in which order. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OpId, StrandId, TurnId } from '../record/ids.ts';
import {
  expiredSentence,
  isExpired,
  mayCapture,
  missingBytes,
  type Pressure,
  partsToGiveUp,
  type SavedPart,
} from './retention.ts';

const DAY = 24 * 60 * 60 * 1000;
const GIB = 1024 ** 3;
const NOW = 100 * DAY;

const part = (
  id: string,
  daysOld: number,
  blobs: readonly string[],
  kind: SavedPart['kind'] = 'turn',
): SavedPart => ({
  strand: '0123456789ab' as StrandId,
  kind,
  id: id as TurnId | OpId,
  atMs: NOW - daysOld * DAY,
  blobs,
});
const pressure = (given: Partial<Pressure>): Pressure => ({
  bytesOf: new Map(),
  pinned: new Set(),
  maxBytes: GIB,
  wantedBytes: 0,
  nowMs: NOW,
  ...given,
});
const ids = (parts: readonly SavedPart[]): string[] => parts.map(({ id }) => id);

test.each([
  [7, 7, false],
  [7, 7.01, true],
  [0.5, 0.49, false],
  [0.5, 0.51, true],
  ['forever' as const, 10_000, false],
  [Number.NaN, 10_000, false],
  [Number.POSITIVE_INFINITY, 10_000, false],
  [0, 10_000, false],
  [-1, 10_000, false],
])('with %s days kept, a session last used %s days ago has expired: %s', (days, old, expected) => {
  expect(isExpired(NOW - old * DAY, NOW, days)).toBe(expected);
});

test('a session whose last use cannot be told, or lies ahead, is kept', () => {
  expect(isExpired(Number.NaN, NOW, 7)).toBe(false);
  expect(isExpired(NOW + 400 * DAY, NOW, 7)).toBe(false);
});

test('the oldest turns go until the rest fits, and no more', () => {
  const parts = [part('new', 1, ['c']), part('old', 9, ['a']), part('mid', 5, ['b'])];
  const bytesOf = new Map([
    ['a', 60],
    ['b', 60],
    ['c', 60],
  ]);
  expect(ids(partsToGiveUp(parts, pressure({ bytesOf, maxBytes: 180 })))).toEqual([]);
  expect(ids(partsToGiveUp(parts, pressure({ bytesOf, maxBytes: 120 })))).toEqual(['old']);
  expect(ids(partsToGiveUp(parts, pressure({ bytesOf, maxBytes: 119 })))).toEqual(['old', 'mid']);
});

test('what restores parked goes last, however old it is', () => {
  const parts = [part('park', 90, ['a'], 'restore'), part('turn', 2, ['b'])];
  const bytesOf = new Map([
    ['a', 10],
    ['b', 10],
  ]);
  expect(ids(partsToGiveUp(parts, pressure({ bytesOf, maxBytes: 10 })))).toEqual(['turn']);
});

test('a content that a younger turn or a session in use needs frees nothing', () => {
  const parts = [part('old', 9, ['shared', 'pinned', 'own']), part('new', 1, ['shared'])];
  const bytesOf = new Map([
    ['shared', 100],
    ['pinned', 100],
    ['own', 1],
  ]);
  const given = partsToGiveUp(parts, pressure({ bytesOf, pinned: new Set(['pinned']), maxBytes: 200 }));
  expect(ids(given)).toEqual(['old']);
});

test('for a full disk turns of the last day stay', () => {
  const parts = [part('today', 0.9, ['a']), part('before', 3, ['b'])];
  const bytesOf = new Map([
    ['a', 10],
    ['b', 10],
  ]);
  expect(ids(partsToGiveUp(parts, pressure({ bytesOf, wantedBytes: GIB })))).toEqual(['before']);
});

test('whatever there is, what stays fits the limit, or nothing that could go is left', () => {
  const blob = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const some = fc.record({ days: fc.double({ min: 0, max: 90, noNaN: true }), blobs: fc.array(blob) });
  fc.assert(
    fc.property(fc.array(some), fc.dictionary(blob, fc.nat(100)), fc.nat(500), (all, sizes, maxBytes) => {
      const parts = all.map(({ days, blobs }, index) => part(String(index), days, blobs));
      const named = new Set(parts.flatMap(({ blobs }) => blobs));
      const bytesOf = new Map(Object.entries(sizes).filter(([name]) => named.has(name)));
      const given = new Set(partsToGiveUp(parts, pressure({ bytesOf, maxBytes })));
      const left = parts.filter((one) => !given.has(one));
      const kept = new Set(left.flatMap(({ blobs }) => blobs));
      const bytes = [...kept].reduce((sum, name) => sum + (bytesOf.get(name) ?? 0), 0);
      expect(bytes <= maxBytes).toBe(true);
      for (const gone of given) expect(left.every((one) => one.atMs >= gone.atMs)).toBe(true);
    }),
  );
});

test('small contents are saved on a full disk, large ones only above the floor', () => {
  const limits = { minFreeBytes: GIB };
  expect(mayCapture(1000, 0, limits)).toBe(true);
  expect(mayCapture(100_000_000, GIB + 99_999_999, limits)).toBe(false);
  expect(mayCapture(100_000_000, GIB + 100_000_000, limits)).toBe(true);
  expect(missingBytes(GIB - 5, limits)).toBe(5);
  expect(missingBytes(GIB + 5, limits)).toBe(0);
});

test('why something is gone is said in words', () => {
  expect(expiredSentence('age', 7)).toBe('The saved versions were removed after 7 days.');
  expect(expiredSentence('age', 0.5)).toBe('The saved versions were removed after 0.5 days.');
  expect(expiredSentence('age', 1)).toBe('The saved versions were removed after 1 day.');
});

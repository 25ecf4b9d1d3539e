import { expect, test } from 'vitest';
import type { StrandId } from '../record/ids.ts';
import { isValidName, resolveSelector } from './selector.ts';

const entry = (id: string, more: object = {}) => ({
  id: id as StrandId,
  name: null,
  cwd: '/a',
  updatedAt: '2026-01-01T00:00:00.000Z',
  archived: false,
  ...more,
});
const entries = [
  entry('aaaa00000001', { name: 'fix' }),
  entry('aaaa00000002', { name: 'fix', updatedAt: '2026-01-03T00:00:00.000Z' }),
  entry('bbbb00000003', { cwd: '/b', updatedAt: '2026-01-02T00:00:00.000Z' }),
  entry('cccc00000004', { updatedAt: '2026-01-09T00:00:00.000Z', archived: true }),
];
const resolve = (selector: string | null, more: { cwd?: string; waypoint?: string } = {}) => {
  const waypoint = (more.waypoint ?? null) as StrandId | null;
  const resolution = resolveSelector(entries, { selector, cwd: more.cwd ?? '/a', waypoint });
  return resolution.kind === 'found' ? resolution.entry.id : resolution.kind;
};

test.each([
  ['an exact name, the newest of two', 'fix', 'aaaa00000002'],
  ['an exact id', 'aaaa00000001', 'aaaa00000001'],
  ['a unique prefix', 'b', 'bbbb00000003'],
  ['a prefix in capitals', 'BBBB', 'bbbb00000003'],
  ['an archived strand by id', 'cccc', 'cccc00000004'],
  ['latest, never an archived one', 'latest', 'aaaa00000002'],
  ['a prefix of two', 'aaaa', 'ambiguous'],
  ['an unknown word', 'nothing', 'none'],
  ['an empty word', '', 'none'],
])('finds %s', (_, selector, expected) => {
  expect(resolve(selector)).toBe(expected);
});

test('without a selector: the waypoint, else the newest of the folder', () => {
  expect(resolve(null, { waypoint: 'aaaa00000001' })).toBe('aaaa00000001');
  expect(resolve(null, { waypoint: 'dddd00000009' })).toBe('aaaa00000002');
  expect(resolve(null, { cwd: '/b' })).toBe('bbbb00000003');
  expect(resolve(null, { cwd: '/c' })).toBe('none');
});

test('an ambiguous prefix lists the candidates, newest first', () => {
  const resolution = resolveSelector(entries, { selector: 'aaaa', cwd: null, waypoint: null });
  expect(resolution.kind === 'ambiguous' && resolution.candidates.map(({ id }) => id)).toEqual([
    'aaaa00000002',
    'aaaa00000001',
  ]);
});

test.each([
  ['auth-fix', true],
  ['世界', true],
  ['feature/x', true],
  ['v2', true],
  ['latest', false],
  ['Latest', false],
  ['123', false],
  ['beef', false],
  ['BEEF', false],
  ['a b', false],
  ['', false],
  ['-x', false],
  ['x\u0000', false],
  ['x'.repeat(65), false],
  ['\ud800', false],
])('name %j may be given: %s', (name, valid) => {
  expect(isValidName(name)).toBe(valid);
});

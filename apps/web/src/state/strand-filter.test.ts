import type { StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { filterStrands, NO_FILTER } from './strand-filter.ts';

const strand = (id: string, more: Partial<StrandSummary>): StrandSummary => ({
  id: id as StrandId,
  name: null,
  title: '',
  cwd: '/acme/api',
  agent: 'loop',
  model: null,
  mode: null,
  turns: 1,
  messages: 2,
  cost: 0,
  createdAt: '2026-01-01',
  updatedAt: '2026-01-01',
  state: 'idle',
  archived: false,
  pinned: false,
  changed: false,
  bad: 0,
  readOnly: null,
  ...more,
});
const all = [
  strand('a', { title: 'Fix the flaky test', updatedAt: '2026-01-03' }),
  strand('b', { title: 'Rework auth', updatedAt: '2026-01-04', state: 'waiting', changed: true }),
  strand('c', { name: 'kept', updatedAt: '2026-01-02', pinned: true, agent: 'script', cwd: '/acme/web' }),
  strand('d', { title: 'Old auth', archived: true }),
];
const ids = (filter: Partial<typeof NO_FILTER>) =>
  filterStrands(all, { ...NO_FILTER, ...filter })
    .map(({ id }) => id)
    .join('');

test('pinned come first, then the newest; archived ones are out of sight', () => {
  expect(ids({})).toBe('cba');
  expect(ids({ archived: true })).toBe('d');
});

test('all words must be found, in the title, the name or the folder', () => {
  expect(ids({ text: 'AUTH rework' })).toBe('b');
  expect(ids({ text: 'web' })).toBe('c');
  expect(ids({ text: 'nothing like it' })).toBe('');
});

test('agent, folder and state narrow it down', () => {
  expect(ids({ agent: 'script' })).toBe('c');
  expect(ids({ folder: '/acme/api' })).toBe('ba');
  expect([ids({ state: 'waiting' }), ids({ state: 'changed' }), ids({ state: 'failed' })]).toEqual([
    'b',
    'b',
    '',
  ]);
});

import type { GlobalEvent } from '@skein/core/protocol/events';
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { PermissionRequest } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { applyGlobalEvents, EMPTY_WORLD } from './world.ts';

const a = 'aaaaaaaaaaaa' as StrandId;
const summary = (id: StrandId, title: string) => ({ id, title }) as StrandSummary;
const request = (id: string, at: string) => ({ id, at, strand: a }) as PermissionRequest;
const snapshot = (strands: StrandSummary[]): GlobalEvent => ({
  type: 'snapshot',
  snapshot: {
    strands,
    permissions: [],
    queues: {},
    jobs: [],
    page: { rev: 3, tabs: [], drafts: {} },
    recoveries: [],
    notices: [],
  },
});

test('a snapshot starts anew, and a change that repeats it does no harm', () => {
  const first = applyGlobalEvents(EMPTY_WORLD, [snapshot([summary(a, 'one')])]);
  const second = applyGlobalEvents(first, [{ type: 'strand', summary: summary(a, 'two') }]);
  expect(first.strands.get(a)?.title).toBe('one');
  expect(second.strands.get(a)?.title).toBe('two');
  expect(applyGlobalEvents(second, [snapshot([])]).strands.size).toBe(0);
});

test('questions are in order of age, and each is there once', () => {
  const world = applyGlobalEvents(EMPTY_WORLD, [
    { type: 'permission', request: request('late', '2026-01-02') },
    { type: 'permission', request: request('early', '2026-01-01') },
    { type: 'permission', request: request('late', '2026-01-02') },
  ]);
  expect(world.permissions.map(({ id }) => id)).toEqual(['early', 'late']);
  const closed = applyGlobalEvents(world, [{ type: 'permission_closed', id: 'early', strand: a }]);
  expect(closed.permissions.map(({ id }) => id)).toEqual(['late']);
});

test('an older page state never replaces a newer one, but a snapshot does', () => {
  const world = applyGlobalEvents(EMPTY_WORLD, [
    { type: 'page', page: { rev: 9, tabs: [a], drafts: {} } },
    { type: 'page', page: { rev: 8, tabs: [], drafts: {} } },
  ]);
  expect(world.page.tabs).toEqual([a]);
  expect(applyGlobalEvents(world, [snapshot([])]).page.rev).toBe(3);
});

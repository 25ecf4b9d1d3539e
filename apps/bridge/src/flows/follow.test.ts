import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { HEADER, openStore, prompt, tempDir } from '../../test/strands-kit.ts';
import { createRunningTurns } from '../agents/running-turns.ts';
import { createEventHub } from '../events/hub.ts';
import { createFollowAll } from './follow-all.ts';
import { createFollowStrand } from './follow-strand.ts';

const setUp = async (root: string) => {
  const opened = await openStore(root);
  const hub = createEventHub();
  const { store } = opened;
  const follow = createFollowStrand({ hub, store, running: createRunningTurns() });
  const writer = await store.create(HEADER);
  await writer.append([prompt('one')]);
  return { hub, store, follow, id: writer.id, [Symbol.asyncDispose]: () => store.close() };
};

test('a reader that is told to start over leaves nothing behind in the hub', async () => {
  using dir = tempDir();
  await using opened = await setUp(dir.path);
  const events = [];
  for await (const { event } of opened.follow(
    { strand: opened.id, after: '2:aaaaaaaaaaaa' },
    new AbortController().signal,
  ))
    events.push(event.type);
  expect(events).toEqual(['resync']);
  expect(opened.hub.readerCount()).toBe(0);
});

test('a reader whose file cannot be read, or who goes before it has caught up, leaves nothing behind', async () => {
  using dir = tempDir();
  await using opened = await setUp(dir.path);
  const { hub, store, id } = opened;
  const { signal } = new AbortController();
  const failing = createFollowStrand({
    hub,
    store: {
      locate: store.locate,
      window: store.window,
      readAfter: () => Promise.reject(new Error('the disk is gone')),
    },
    running: createRunningTurns(),
  });
  await expect(failing({ strand: id, after: null }, signal).next()).rejects.toThrow('the disk is gone');
  const early = opened.follow({ strand: id, after: '0:-' }, signal);
  expect((await early.next()).done).toBe(false);
  expect(hub.readerCount()).toBe(1);
  await early.return(undefined);
  expect(hub.readerCount()).toBe(0);
});

test('a global reader whose snapshot cannot be made leaves nothing behind', async () => {
  const hub = createEventHub();
  const follow = createFollowAll({
    hub,
    strands: () => Promise.reject(new Error('no list')),
    permissions: () => [],
    queues: async () => ({}) as Record<StrandId, never>,
    jobs: () => [],
    page: async () => ({ rev: 0, tabs: [], drafts: {} }),
    recoveries: () => [],
    notices: () => [],
  });
  await expect(follow(new AbortController().signal).next()).rejects.toThrow('no list');
  expect(hub.readerCount()).toBe(0);
});

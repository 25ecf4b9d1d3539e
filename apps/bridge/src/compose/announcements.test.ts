import type { StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import { summaryOf } from '@skein/core/strand/summary';
import { expect, test } from 'vitest';
import { HEADER, openStore, prompt, tempDir } from '../../test/strands-kit.ts';
import { createRunningTurns } from '../agents/running-turns.ts';
import { createEventHub } from '../events/hub.ts';
import type { StrandStore, StrandWriter } from '../strands/types.ts';
import { type AnnouncementDeps, createAnnouncements } from './announcements.ts';

const announce = (store: StrandStore, more: Partial<AnnouncementDeps> = {}) =>
  createAnnouncements({
    hub: createEventHub(),
    store,
    peek: () => undefined,
    running: createRunningTurns(),
    heldElsewhere: () => false,
    newId: () => 'id',
    log: (error) => {
      throw error;
    },
    ...more,
  });

/** A session whose turn has no end yet. */
const openTurn = async (store: StrandStore): Promise<StrandId> => {
  const writer = await store.create(HEADER);
  await writer.append([prompt('one')]);
  await writer.close();
  return writer.id;
};

test('a row of an open session shows what readers may see, in the list and alone', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const { store } = opened;
  const id = await openTurn(store);
  const late = await store.read(id);
  const early = (await store.create(HEADER)).state;
  const writer = { id, state: late, shownState: early } as StrandWriter;
  const rows = announce(store, { peek: (wanted) => (wanted === id ? writer : undefined) });
  const expected = summaryOf(early, { id });
  expect(await rows.summary(id)).toEqual(expected);
  expect((await rows.summaries()).find((row) => row.id === id)).toEqual(expected);
});

test('the lease of a cut off session is looked at once, that of one at work elsewhere each time', async () => {
  using dir = tempDir();
  await using opened = await openStore(dir.path);
  const { store } = opened;
  const [cutOff, atWork] = [await openTurn(store), await openTurn(store)];
  const asked: StrandId[] = [];
  let alive = true;
  const rows = announce(store, {
    heldElsewhere: (id) => {
      asked.push(id);
      return alive && id === atWork;
    },
  });
  const states = async () =>
    Object.fromEntries((await rows.summaries()).map((row: StrandSummary) => [row.id, row.state]));
  for (let n = 0; n < 3; n += 1)
    expect(await states()).toEqual({ [cutOff]: 'interrupted', [atWork]: 'running' });
  expect((await rows.summary(cutOff)).state).toBe('interrupted');
  expect(asked.filter((id) => id === cutOff)).toHaveLength(1);
  expect(asked.filter((id) => id === atWork)).toHaveLength(3);
  alive = false;
  expect(await states()).toEqual({ [cutOff]: 'interrupted', [atWork]: 'interrupted' });
});

/** What a turn did outside its folder goes into its record, so that nobody takes an undo for more than it is. */
import type { RecordOf, StrandRecord } from '@skein/core/record/schema';
import { expect, test } from 'vitest';
import { wireTurns } from '../src/compose/wire-turns.ts';
import { openPlace } from './open-place.ts';

const turnRecord = async (text: string): Promise<RecordOf<'turn'> | undefined> => {
  await using place = await openPlace();
  const strand = await place.strand();
  const { runTurn } = await wireTurns(place.parts);
  const input = {
    strand,
    text,
    images: [],
    mentions: [],
    by: 'user',
    when: 'now',
    interactive: false,
  } as const;
  const { settled } = await runTurn({ ...input, images: [], mentions: [] });
  await settled;
  for await (const { item } of place.parts.store.lines(strand)) {
    const record = item.kind === 'record' ? (item.record as StrandRecord) : null;
    if (record?.kind === 'turn') return record;
  }
  return undefined;
};

test('a command that may have left the folder is named in the turn record', async () => {
  const record = await turnRecord('sh true || curl https://example.com');
  expect(record).toMatchObject({
    outcome: 'done',
    external: ['Ran `curl https://example.com`: what it did over the network is not undone.'],
  });
});

test('a turn of which nothing is known to have left the folder says nothing', async () => {
  expect(await turnRecord('sh echo hello')).not.toHaveProperty('external');
});

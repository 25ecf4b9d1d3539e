import { transcriptOf } from '@skein/core/document/transcript';
import { aStrand } from '@skein/core/testing/a-strand';
import { expect, test } from 'vitest';
import { railTicks } from './rail-ticks.ts';

test('one tick a turn, longer where files changed, red where it failed', () => {
  const strand = aStrand()
    .exchange('one', 'a')
    .exchange('two', 'b', ['x', 'y'])
    .prompt('three')
    .turn({ outcome: 'failed' });
  const ticks = railTicks(transcriptOf(strand.state(), null), 100);
  expect(ticks.map((tick) => tick.tone)).toEqual(['quiet', 'changed', 'failed']);
  expect(ticks[1]?.length).toBeGreaterThan(ticks[0]?.length ?? 0);
});

test('more turns than pixels share their ticks, and a failure is never lost', () => {
  const strand = aStrand();
  for (let n = 0; n < 300; n += 1) strand.prompt(`p${n}`).turn({ outcome: n === 142 ? 'failed' : 'done' });
  const ticks = railTicks(transcriptOf(strand.state(), null), 50);
  expect(ticks).toHaveLength(50);
  expect(ticks.filter((tick) => tick.tone === 'failed')).toHaveLength(1);
});

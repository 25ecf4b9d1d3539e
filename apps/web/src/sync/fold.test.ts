import type { StrandEvent } from '@skein/core/protocol/events';
import type { StrandLine } from '@skein/core/strand/replay';
import { windowItemOf } from '@skein/core/strand/window-item';
import { aStrand } from '@skein/core/testing/a-strand';
import { expect, test } from 'vitest';
import { type Fold, foldEvents, foldOf, prepend } from './fold.ts';

const recordEvent = (line: StrandLine): StrandEvent => ({ type: 'record', item: windowItemOf(line, 100) });
const open = (lines: readonly StrandLine[], whole = true): Fold =>
  foldOf({ lines, whole, running: false, turnsOnPath: 3, previous: [] });
const folded = (fold: Fold, events: readonly StrandEvent[]): Fold => {
  const next = foldEvents(fold, events);
  if (next === 'gap') throw new Error('a record is missing');
  return next;
};
const turnsOf = ({ blocks }: Fold) =>
  blocks.flatMap((block) => (block.kind === 'turn' ? [[block.number, block.prompt?.text[0]]] : []));

const session = () => aStrand().exchange('one', 'first').exchange('two', 'second').exchange('three', 'third');

test('records that were seen are dropped, in any mixture, and each is there once', () => {
  const lines = session().lines();
  const start = open(lines.slice(0, 4));
  const twice = folded(start, [...lines.slice(2, 7), ...lines.slice(4)].map(recordEvent));
  expect(twice.state.seq).toBe(lines.length);
  expect(turnsOf(twice)).toEqual([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
  ]);
});

test('a missing record is noticed instead of skipped', () => {
  const lines = session().lines();
  const [later] = lines.slice(6, 7);
  if (later === undefined) throw new Error('no such line');
  expect(foldEvents(open(lines.slice(0, 4)), [recordEvent(later)])).toBe('gap');
});

test('streamed text is replaced by its record, never shown beside it', () => {
  const strand = aStrand().prompt('go');
  const turn = strand.promptId();
  const start = open(strand.lines());
  const live = folded(start, [
    { type: 'live', turn, event: { type: 'step_start', model: 'script/script' } },
    { type: 'live', turn, event: { type: 'text', block: '0', text: 'Hel' } },
    { type: 'live', turn, event: { type: 'text', block: '0', text: 'lo' } },
  ]);
  expect(live.live?.parts).toEqual([{ kind: 'text', block: '0', text: 'Hello' }]);
  const settled = folded(live, strand.answer('Hello').lines().slice(-1).map(recordEvent));
  expect(settled.live?.parts).toEqual([]);
  expect(folded(settled, strand.turn().lines().slice(-1).map(recordEvent)).live).toBeNull();
});

test('turns keep their numbers when an older stretch is read', () => {
  const lines = session().lines();
  const window = open(lines.slice(4), false);
  expect(turnsOf(window).map(([number]) => number)).toEqual([2, 3]);
  expect(turnsOf(prepend(window, lines.slice(0, 4), true)).map(([number]) => number)).toEqual([1, 2, 3]);
});

test('a turn that did not change keeps its block while another one streams', () => {
  const strand = session().prompt('four');
  const start = open(strand.lines());
  const event: StrandEvent = {
    type: 'live',
    turn: strand.promptId(),
    event: { type: 'text', block: '0', text: 'x' },
  };
  const next = folded(start, [event]);
  expect(next.blocks.slice(0, -1).every((block, index) => block === start.blocks[index])).toBe(true);
  expect(next.blocks.at(-1)).not.toBe(start.blocks.at(-1));
});

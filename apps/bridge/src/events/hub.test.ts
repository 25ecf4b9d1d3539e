import { recordIdSchema, strandIdSchema } from '@skein/core/record/ids';
import { describe, expect, test } from 'vitest';
import { createEventHub } from './hub.ts';
import { MAX_SIGNALS } from './strand-reader.ts';
import type { GlobalEvent, LiveSignal, StrandSignal } from './types.ts';

const STRAND = strandIdSchema.parse('0123456789ab');
const OTHER = strandIdSchema.parse('ba9876543210');
const TURN = recordIdSchema.parse('0123456789ab');

const text = (n: number, words = 'x'): LiveSignal => ({
  turn: TURN,
  event: { type: 'text', block: 'b', text: words },
  seq: 1,
  n,
});
const notice = (id: string): GlobalEvent => ({
  type: 'notice',
  notice: { id, level: 'info', message: '', strand: null },
});
const page = (rev: number): GlobalEvent => ({ type: 'page', page: { rev, tabs: [], drafts: {} } });

const takeAll = async <T>(source: AsyncIterable<T>, stop: AbortController, count: number): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of source) {
    found.push(item);
    if (found.length === count) stop.abort();
  }
  return found;
};

describe('a strand reader', () => {
  test('gets what was published between its call and its first read, of its strand only', async () => {
    const hub = createEventHub();
    const stop = new AbortController();
    const signals = hub.followStrand(STRAND, stop.signal);
    hub.strandGrew(OTHER);
    hub.live(STRAND, text(1));
    hub.strandGrew(STRAND);
    expect((await takeAll(signals, stop, 2)).map((signal) => signal.type)).toEqual(['live', 'grew']);
  });

  test('gets consecutive growth once', async () => {
    const hub = createEventHub();
    const stop = new AbortController();
    const signals = hub.followStrand(STRAND, stop.signal);
    for (let count = 0; count < 5000; count += 1) hub.strandGrew(STRAND);
    hub.live(STRAND, text(1));
    expect((await takeAll(signals, stop, 2)).map((signal) => signal.type)).toEqual(['grew', 'live']);
  });

  test('that falls behind loses live deltas, is told so, and still learns that the file grew', async () => {
    const hub = createEventHub();
    const stop = new AbortController();
    const signals = hub.followStrand(STRAND, stop.signal);
    hub.strandGrew(STRAND);
    for (let n = 1; n <= MAX_SIGNALS + 10; n += 1) hub.live(STRAND, text(n));
    const found = await takeAll(signals, stop, 13);
    expect(found.slice(0, 2).map((signal) => signal.type)).toEqual(['dropped', 'grew']);
    expect(found.slice(2)).toEqual(numbers(MAX_SIGNALS, 11).map((n) => ({ type: 'live', ...text(n) })));
  });

  test('never holds more than 4 MiB of live text', async () => {
    const hub = createEventHub();
    const stop = new AbortController();
    const signals = hub.followStrand(STRAND, stop.signal);
    const long = 'y'.repeat(1024 * 1024);
    for (let n = 1; n <= 6; n += 1) hub.live(STRAND, text(n, long));
    hub.live(STRAND, text(7, long.repeat(5)));
    hub.strandGrew(STRAND);
    const found = await takeAll(signals, stop, 2);
    expect(found.map((signal) => signal.type)).toEqual(['dropped', 'grew']);
  });

  test('ends when its signal aborts, also while it waits', async () => {
    const hub = createEventHub();
    const stop = new AbortController();
    const ended = takeAll(hub.followStrand(STRAND, stop.signal), stop, 1);
    stop.abort();
    expect(await ended).toEqual([]);
    expect(await takeAll(hub.followStrand(STRAND, stop.signal), stop, 1)).toEqual([]);
    expect(hub.readerCount()).toBe(0);
  });
});

const numbers = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index);

describe('the global stream', () => {
  test('keeps the newest of each thing for a slow reader, in the order of the last change', async () => {
    const hub = createEventHub();
    const stop = new AbortController();
    const events = hub.followGlobal(stop.signal);
    for (let rev = 1; rev <= 3000; rev += 1) hub.global(page(rev));
    hub.global(notice('a'));
    hub.global(page(3001));
    expect(await takeAll(events, stop, 2)).toEqual([notice('a'), page(3001)]);
  });

  test('ends with limit when too many different things wait, and a new one works', async () => {
    const hub = createEventHub();
    const stop = new AbortController();
    const events = hub.followGlobal(stop.signal);
    for (let id = 0; id < 1100; id += 1) hub.global(notice(String(id)));
    await expect(takeAll(events, stop, 1)).rejects.toMatchObject({ code: 'limit' });
    expect(hub.readerCount()).toBe(0);
    const again = hub.followGlobal(stop.signal);
    hub.global(page(1));
    expect(await takeAll(again, stop, 1)).toEqual([page(1)]);
  });
});

test('10,000 readers come and go and nothing is left', async () => {
  const hub = createEventHub();
  const shared = new AbortController();
  const first: StrandSignal[] = [];
  for (let count = 0; count < 10_000; count += 1) {
    const stop = new AbortController();
    const signals = hub.followStrand(STRAND, stop.signal);
    if (count % 3 === 0) stop.abort();
    hub.strandGrew(STRAND);
    for await (const signal of signals) {
      first.push(signal);
      break;
    }
  }
  const left = Array.from({ length: 100 }, () => hub.followGlobal(shared.signal));
  expect(hub.readerCount()).toBe(100);
  shared.abort();
  expect(left).toHaveLength(100);
  expect(hub.readerCount()).toBe(0);
  expect(first).toHaveLength(10_000 - Math.ceil(10_000 / 3));
});

test('publishing to 300 readers that never read stays quick and bounded', () => {
  const hub = createEventHub();
  const stop = new AbortController();
  for (let count = 0; count < 300; count += 1) hub.followStrand(STRAND, stop.signal);
  for (let n = 0; n < 3000; n += 1) hub.live(STRAND, text(n));
  hub.strandGrew(STRAND);
  expect(hub.readerCount()).toBe(300);
  stop.abort();
  expect(hub.readerCount()).toBe(0);
});

import type { PageState } from '@skein/core/protocol/events';
import type { StrandId } from '@skein/core/record/ids';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPageSync, type PageSink } from './page-sync.ts';
import { withTab } from './tabs.ts';

const a = 'aaaaaaaaaaaa' as StrandId;
const b = 'bbbbbbbbbbbb' as StrandId;
const fail = (error: unknown) => {
  throw error;
};

/** A bridge that holds its answers until the test lets them go. */
function aSink() {
  const calls: Parameters<PageSink['set']>[0][] = [];
  const answers: ((page: PageState) => void)[] = [];
  const set: PageSink['set'] = (input) => {
    calls.push(input);
    return new Promise((resolve) => answers.push(resolve));
  };
  return { set, calls, answer: (page: PageState) => answers.shift()?.(page) };
}

const page = (rev: number, tabs: StrandId[] = [], drafts: Record<string, string> = {}): PageState => {
  return { rev, tabs, drafts };
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a tab opened here is shown at once and sent soon after', () => {
  const sink = aSink();
  const sync = createPageSync(sink, fail);
  sync.receive(page(1, [a]));
  sync.changeTabs((tabs) => withTab(tabs, b, null));
  expect(sync.tabs.get()?.open).toEqual([a, b]);
  vi.advanceTimersByTime(100);
  expect(sink.calls).toEqual([{ tabs: [a, b] }]);
});

test('a word of the bridge that is older than our change does not take it back', async () => {
  const sink = aSink();
  const sync = createPageSync(sink, fail);
  sync.receive(page(1, [a]));
  sync.changeTabs((tabs) => withTab(tabs, b, null));
  sync.receive(page(2, []));
  expect(sync.tabs.get()?.open).toEqual([a, b]);
  vi.advanceTimersByTime(100);
  sync.receive(page(3, [a]));
  expect(sync.tabs.get()?.open).toEqual([a, b]);
  sink.answer(page(4, [a, b]));
  await vi.advanceTimersByTimeAsync(0);
  expect(sync.tabs.get()?.open).toEqual([a, b]);
  sync.receive(page(5, [b]));
  expect(sync.tabs.get()?.open).toEqual([b]);
});

test('key strokes are collected, and the draft of another window appears', async () => {
  const sink = aSink();
  const sync = createPageSync(sink, fail);
  sync.receive(page(1));
  for (const text of ['h', 'he', 'hello']) sync.setDraft(a, text);
  sync.receive(page(2, [], { [a]: 'old', [b]: 'from elsewhere' }));
  expect(sync.drafts.get()).toEqual({ [a]: 'hello', [b]: 'from elsewhere' });
  vi.advanceTimersByTime(500);
  expect(sink.calls).toEqual([{ draft: { strand: a, text: 'hello' } }]);
  sink.answer(page(3, [], { [a]: 'hello', [b]: 'from elsewhere' }));
  await vi.advanceTimersByTimeAsync(0);
  sync.receive(page(4, [], { [a]: 'changed elsewhere' }));
  expect(sync.drafts.get()).toEqual({ [a]: 'changed elsewhere' });
});

test('what the bridge did not take is sent again once it is back, and is never taken back', async () => {
  let isThere = false;
  const calls: unknown[] = [];
  const errors: unknown[] = [];
  const set: PageSink['set'] = async (input) => {
    calls.push(input);
    if (!isThere) throw new Error('nobody answers');
    return page(2, [], { [a]: 'kept' });
  };
  const sync = createPageSync({ set }, (error) => errors.push(error));
  sync.setDraft(a, 'kept');
  await vi.advanceTimersByTimeAsync(500);
  expect(errors).toHaveLength(1);
  isThere = true;
  sync.receive(page(1, [], { [a]: 'of before' }));
  expect(sync.drafts.get()).toEqual({ [a]: 'kept' });
  sync.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toHaveLength(2);
});

test('what waits is sent at once when the window goes', () => {
  const sink = aSink();
  const sync = createPageSync(sink, fail);
  sync.setDraft(a, 'kept');
  sync.flush();
  expect(sink.calls).toEqual([{ draft: { strand: a, text: 'kept' } }]);
});

import type { StrandEvent } from '@skein/core/protocol/events';
import type { StrandSummary, StrandWindow } from '@skein/core/protocol/strands';
import type { RecordId, StrandId } from '@skein/core/record/ids';
import type { StrandLine } from '@skein/core/strand/replay';
import { windowItemOf } from '@skein/core/strand/window-item';
import { aStrand } from '@skein/core/testing/a-strand';
import { TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Tracked } from '../bridge/tracked.ts';
import { StrandFeed, type StrandSource } from './strand-feed.ts';

const id = '0123456789ab' as StrandId;
const session = aStrand().exchange('one', 'first').exchange('two', 'second').exchange('three', 'third');
const lines = session.lines();

type Value = StrandEvent | Tracked<StrandEvent>;
interface Follower {
  readonly after: string;
  readonly send: (...values: Value[]) => void;
  readonly end: () => void;
  stopped: boolean;
}

/** A bridge whose file grows as the test says; frames are run by hand. */
function aBridge() {
  let length = 4;
  const followers: Follower[] = [];
  let runFrame: (() => void) | null = null;
  let fault: unknown = null;
  let asked = 0;
  let older: Promise<void> = Promise.resolve();
  const windowOf = (before?: number): StrandWindow => ({
    items: (before === undefined ? lines.slice(2, length) : lines.slice(0, 2)).map((line) =>
      windowItemOf(line, 10),
    ),
    before: before === undefined ? 2 : null,
    cursor: `${length}:-`,
    tip: 'r00000000001' as RecordId,
    summary: { turns: 1 } as StrandSummary,
  });
  const source: StrandSource = {
    window: async ({ before }) => {
      asked += 1;
      if (before !== undefined) await older;
      if (fault !== null) throw fault;
      return windowOf(before);
    },
    follow: ({ after }, { onData, onComplete }) => {
      const follower: Follower = {
        after,
        send: (...values) => values.forEach(onData),
        end: onComplete,
        stopped: false,
      };
      followers.push(follower);
      return {
        unsubscribe: () => {
          follower.stopped = true;
        },
      };
    },
  };
  const feed = new StrandFeed(id, source, (run) => ({
    request: () => {
      runFrame = run;
    },
    stop: () => undefined,
  }));
  return {
    feed,
    followers,
    grow: (to: number) => {
      length = to;
    },
    frame: () => runFrame?.(),
    fail: (error: unknown) => {
      fault = error;
    },
    asked: () => asked,
    holdOlder: () => {
      const held = Promise.withResolvers<void>();
      older = held.promise;
      return held.resolve;
    },
    last: () => {
      const follower = followers.at(-1);
      if (follower === undefined) throw new Error('nobody follows');
      return follower;
    },
  };
}

const record = (line: StrandLine): Tracked<StrandEvent> => ({
  id: `${line.seq}:-`,
  data: { type: 'record', item: windowItemOf(line, 10) },
});
const open = async () => {
  const bridge = aBridge();
  await vi.advanceTimersByTimeAsync(0);
  return bridge;
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('it opens at the end of the file and follows from there', async () => {
  const { feed, last } = await open();
  expect(feed.view.get().status).toBe('open');
  expect(feed.view.get().hasOlder).toBe(true);
  expect(last().after).toBe('4:-');
});

test('records of one frame are shown together, each once, however often they arrive', async () => {
  const { feed, last, frame } = await open();
  const changes = vi.fn();
  feed.view.subscribe(changes);
  last().send(...lines.slice(4).map(record), ...lines.slice(3).map(record));
  expect(changes).not.toHaveBeenCalled();
  frame();
  expect(changes).toHaveBeenCalledTimes(1);
  expect(feed.view.get().records).toBe(lines.length);
});

test('a cursor that no longer fits reads a new window; the transcript stays meanwhile', async () => {
  const { feed, last, frame, followers, grow } = await open();
  const first = last();
  first.send({ type: 'resync', reason: 'the file was replaced' });
  frame();
  expect(first.stopped).toBe(true);
  expect(feed.view.get().status).toBe('open');
  grow(lines.length);
  await vi.advanceTimersByTimeAsync(1000);
  expect(followers).toHaveLength(2);
  expect(last().after).toBe(`${lines.length}:-`);
  expect(feed.view.get().records).toBe(lines.length);
});

test('an old stream has no say after a new window', async () => {
  const { feed, last, frame } = await open();
  const first = last();
  feed.reload();
  await vi.advanceTimersByTimeAsync(0);
  first.send(...lines.slice(4).map(record));
  frame();
  expect(feed.view.get().records).toBe(4);
});

test('a missing record is read again instead of being skipped', async () => {
  const { feed, last, frame, grow } = await open();
  last().send(...lines.slice(6).map(record));
  frame();
  expect(feed.view.get().records).toBe(4);
  grow(lines.length);
  await vi.advanceTimersByTimeAsync(1000);
  expect(feed.view.get().records).toBe(lines.length);
});

test('an older stretch comes before what is shown', async () => {
  const { feed } = await open();
  feed.loadOlder();
  feed.loadOlder();
  expect(feed.view.get().loadingOlder).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(feed.view.get().hasOlder).toBe(false);
  expect(feed.view.get().state?.header?.agent).toBeDefined();
  expect(feed.view.get().records).toBe(4);
});

test('a closed feed follows nothing', async () => {
  const { feed, last } = await open();
  feed.close();
  expect(last().stopped).toBe(true);
  await vi.advanceTimersByTimeAsync(5000);
});

test('an older stretch that comes after a reload is dropped, and the next one can be asked for', async () => {
  const { feed, holdOlder } = await open();
  const release = holdOlder();
  feed.loadOlder();
  feed.reload();
  await vi.advanceTimersByTimeAsync(0);
  release();
  await vi.advanceTimersByTimeAsync(0);
  expect(feed.view.get()).toMatchObject({ loadingOlder: false, hasOlder: true });
  feed.loadOlder();
  await vi.advanceTimersByTimeAsync(0);
  expect(feed.view.get()).toMatchObject({ loadingOlder: false, hasOlder: false });
});

test('the same after a cursor that no longer fits', async () => {
  const { feed, holdOlder, last, frame } = await open();
  const release = holdOlder();
  feed.loadOlder();
  last().send({ type: 'resync', reason: 'the file was replaced' });
  frame();
  await vi.advanceTimersByTimeAsync(1000);
  release();
  await vi.advanceTimersByTimeAsync(0);
  expect(feed.view.get()).toMatchObject({ loadingOlder: false, hasOlder: true });
});

test('an older stretch that was asked for while a window is read does not come before the new one', async () => {
  const { feed, holdOlder } = await open();
  feed.reload();
  const release = holdOlder();
  feed.loadOlder();
  await vi.advanceTimersByTimeAsync(0);
  const { blocks } = feed.view.get();
  release();
  await vi.advanceTimersByTimeAsync(0);
  expect(feed.view.get()).toMatchObject({ blocks, loadingOlder: false, hasOlder: true });
});

const failure = (code: string) =>
  new TRPCClientError('failed', {
    result: { error: { code: -32_000, message: code, data: { skein: { code, message: code, data: {} } } } },
  });

test('a session that is gone is not asked for again', async () => {
  const { feed, last, asked, fail } = await open();
  fail(failure('not_found'));
  last().end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked()).toBe(2);
  expect(feed.view.get()).toMatchObject({ status: 'open', problem: { code: 'not_found' } });
});

test('what fails again and again is asked for less and less often, until it works', async () => {
  const { feed, last, frame, asked, fail } = await open();
  fail(failure('io'));
  last().end();
  await vi.advanceTimersByTimeAsync(60_000);
  // After 0.5, 1, 2, 4 and then every 8 seconds, besides the first one.
  expect(asked()).toBe(11);
  fail(null);
  await vi.advanceTimersByTimeAsync(8000);
  expect(feed.view.get().problem).toBeNull();
  last().send({ type: 'caught_up' });
  frame();
  const before = asked();
  last().end();
  await vi.advanceTimersByTimeAsync(500);
  expect(asked()).toBe(before + 1);
});

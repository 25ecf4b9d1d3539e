import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { iterate } from './subscription.ts';

type Observer = Parameters<Parameters<typeof iterate<number>>[0]>[0];

const subscribed = (signal = new AbortController().signal) => {
  let observer: Observer | null = null;
  let isOpen = true;
  const values = iterate<number>((given) => {
    observer = given;
    return {
      unsubscribe: () => {
        isOpen = false;
      },
    };
  }, signal);
  const first = values.next();
  if (observer === null) throw new Error('nothing subscribed');
  return { values, first, observer: observer as Observer, isOpen: () => isOpen };
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('values come in order, whether they were awaited or not', async () => {
  const { values, first, observer, isOpen } = subscribed();
  for (const value of [1, 2, 3]) observer.onData(value);
  observer.onComplete();
  expect(await first).toEqual({ value: 1, done: false });
  const rest = [];
  for await (const value of values) rest.push(value);
  expect([rest, isOpen()]).toEqual([[2, 3], false]);
});

test('what came before a fault is told before the fault', async () => {
  const { values, first, observer } = subscribed();
  observer.onData(1);
  observer.onError(new Error('gone'));
  expect(await first).toMatchObject({ value: 1 });
  await expect(values.next()).rejects.toThrow('gone');
});

test('a connection that comes back in time is no fault, one that stays away is', async () => {
  const { values, first, observer, isOpen } = subscribed();
  observer.onConnectionStateChange({ state: 'connecting' });
  vi.advanceTimersByTime(29_000);
  observer.onConnectionStateChange({ state: 'pending' });
  vi.advanceTimersByTime(60_000);
  observer.onData(1);
  expect(await first).toMatchObject({ value: 1 });

  const lost = expect(values.next()).rejects.toMatchObject({ code: 'io' });
  observer.onConnectionStateChange({ state: 'connecting' });
  vi.advanceTimersByTime(31_000);
  await lost;
  expect(isOpen()).toBe(false);
});

test('an abort ends it quietly', async () => {
  const controller = new AbortController();
  const { first, isOpen } = subscribed(controller.signal);
  controller.abort();
  expect(await first).toEqual({ value: undefined, done: true });
  expect(isOpen()).toBe(false);
});

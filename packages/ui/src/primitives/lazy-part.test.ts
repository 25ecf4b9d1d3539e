import { expect, test } from 'vitest';
import { untilLoaded } from './lazy-part.ts';

test('a part that cannot be fetched is fetched again, at longer and longer intervals, until it is there', async () => {
  let tries = 0;
  const waits: number[] = [];
  const load = async (): Promise<string> => {
    tries += 1;
    if (tries < 7) throw new Error('the bridge is away');
    return 'here';
  };
  const wait = async (delayMs: number): Promise<void> => {
    waits.push(delayMs);
  };
  expect(await untilLoaded(load, wait)).toBe('here');
  expect(waits).toEqual([500, 1000, 2000, 4000, 5000, 5000]);
});

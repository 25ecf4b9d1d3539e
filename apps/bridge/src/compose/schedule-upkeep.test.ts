/** When a bridge clears up, and that it never does so twice at once or in the way of a stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { BridgeError } from '@skein/core/protocol/errors';
import type { StoreCleanup } from '@skein/core/protocol/store';
import { expect, test } from 'vitest';
import { type ScheduleDeps, scheduleUpkeep } from './schedule-upkeep.ts';

const schedule = (run: ScheduleDeps['upkeep']['run']) => {
  const told = { faults: [] as unknown[], notices: [] as string[], infos: [] as string[] };
  const timed = scheduleUpkeep({
    upkeep: { run },
    log: { info: (message) => told.infos.push(message) },
    onFault: (error) => told.faults.push(error),
    notice: (message) => told.notices.push(message),
    timing: { firstMs: 5, everyMs: 5 },
  });
  return { ...timed, told };
};
const nothing: StoreCleanup = { freed: 0, expired: 0 };

test('one pass runs at a time, and the next comes after it', async () => {
  let [running, most, passes] = [0, 0, 0];
  const timed = schedule(async () => {
    running += 1;
    most = Math.max(most, running);
    await sleep(20);
    running -= 1;
    passes += 1;
    return nothing;
  });
  await expect.poll(() => passes).toBeGreaterThan(2);
  timed.stop();
  await timed.ended(1000);
  expect([running, most]).toEqual([0, 1]);
});

test('a pass that fails is told, and the next one runs', async () => {
  let passes = 0;
  const timed = schedule(async () => {
    passes += 1;
    throw new BridgeError('io', 'The disk is gone.');
  });
  await expect.poll(() => passes).toBeGreaterThan(1);
  timed.stop();
  expect(timed.told.faults[0]).toMatchObject({ code: 'io' });
});

test('an upkeep of another process is no fault', async () => {
  const timed = schedule(async () => {
    throw new BridgeError('busy', 'Another one.');
  });
  await expect.poll(() => timed.told.infos).toContain('Another one.');
  timed.stop();
  expect(timed.told.faults).toEqual([]);
});

test('a stop tells the pass and waits for it no longer than it may', async () => {
  const began = Promise.withResolvers<AbortSignal | undefined>();
  const timed = schedule((signal) => {
    began.resolve(signal);
    return new Promise(() => undefined);
  });
  const signal = await began.promise;
  timed.stop();
  expect(signal?.aborted).toBe(true);
  const startMs = Date.now();
  await timed.ended(30);
  expect(Date.now() - startMs).toBeLessThan(1000);
});

test('after a stop nothing begins', async () => {
  let passes = 0;
  const timed = schedule(async () => {
    passes += 1;
    return nothing;
  });
  timed.stop();
  await sleep(30);
  expect(passes).toBe(0);
});

test('turns that expired are told', async () => {
  const timed = schedule(async () => ({ freed: 1, expired: 2 }));
  await expect.poll(() => timed.told.notices[0]).toMatch(/^Saved versions of 2 turns were removed/);
  timed.stop();
});

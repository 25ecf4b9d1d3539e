import { expect, test } from 'vitest';
import { scheduleHistory } from './schedule-history.ts';

test('looks go on while the vault is on, also after one that failed, and none begins after the end', async () => {
  let looks = 0;
  const faults: unknown[] = [];
  const third = Promise.withResolvers<void>();
  const stop = scheduleHistory({
    everyMs: 1,
    isOn: async () => true,
    history: {
      async list() {
        looks += 1;
        if (looks === 3) third.resolve();
        if (looks === 1) throw new Error('first');
        return { sessions: [], notices: [] };
      },
    },
    onFault: (error) => faults.push(error),
  });
  await third.promise;
  await stop();
  const after = looks;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(looks).toBe(after);
  expect(faults).toHaveLength(1);
});

test('nothing is looked at while the vault is off', async () => {
  let looks = 0;
  const asked = Promise.withResolvers<void>();
  let times = 0;
  const stop = scheduleHistory({
    everyMs: 1,
    async isOn() {
      times += 1;
      if (times === 3) asked.resolve();
      return false;
    },
    history: {
      async list() {
        looks += 1;
        return { sessions: [], notices: [] };
      },
    },
    onFault: (error) => {
      throw error;
    },
  });
  await asked.promise;
  await stop();
  expect(looks).toBe(0);
});

import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { createRunningTurns } from '../agents/running-turns.ts';
import { createDrainQueue } from './drain-queue.ts';

const strand = 'aaaaaaaaaaaa' as StrandId;

const setUp = () => {
  const running = createRunningTurns();
  const did: string[] = [];
  const first = Promise.withResolvers<never>();
  const drain = createDrainQueue({
    first: () => first.promise,
    isStopping: running.isStopping,
    remove: async () => void did.push('removed'),
    runTurn: async () => void did.push(running.begin(strand) === null ? 'busy' : 'began'),
    reportFault: (_strand, error) => void did.push(String(error)),
  });
  const answer = (): void =>
    first.resolve({ id: '1', text: 'next', kind: 'queue', images: [], mentions: [] } as never);
  return { running, did, drain, answer };
};

test('a turn that ended well starts the next queued prompt', async () => {
  const { did, drain, answer } = setUp();
  answer();
  await drain.afterTurn(strand, 'done');
  expect(did).toEqual(['began', 'removed']);
});

test('once the bridge stops, what waits in the queue goes on waiting, without a fault', async () => {
  const { running, did, drain, answer } = setUp();
  const drained = drain.afterTurn(strand, 'done');
  running.stop();
  answer();
  await drained;
  expect(did).toEqual([]);
  expect(() => running.begin(strand)).toThrow('Skein is stopping');
});

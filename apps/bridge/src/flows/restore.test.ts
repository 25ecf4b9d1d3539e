import { BridgeError } from '@skein/core/protocol/errors';
import { strandIdSchema } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { createRunningTurns } from '../agents/running-turns.ts';
import { newOpId } from '../platform/ids.ts';
import { createRestore } from './restore.ts';

const A = strandIdSchema.parse('aaaaaaaaaaaa');

test('what ended a restore is what the caller hears, also when its writer cannot be closed', async () => {
  const faults: unknown[] = [];
  const running = createRunningTurns();
  const restore = createRestore({
    pool: {
      use: () => Promise.reject(new BridgeError('io', 'The disk is full.')),
      discard: () => Promise.reject(new BridgeError('io', 'Closing failed.')),
    },
    running,
    snapshots: { apply: () => Promise.reject(new Error('nothing is applied')) },
    hub: { strandGrew: () => undefined },
    newOpId,
    announce: () => undefined,
    reportFault: (_, error) => faults.push(error),
  });
  const request = { strand: A, direction: 'undo', scope: 'both' } as const;
  await expect(restore(request)).rejects.toThrow('The disk is full.');
  expect(faults).toMatchObject([{ message: 'Closing failed.' }]);
  expect(running.get(A)).toBeUndefined();
});

import { BridgeError } from '@skein/core/protocol/errors';
import { strandIdSchema } from '@skein/core/record/ids';
import { emptyStrand } from '@skein/core/strand/replay';
import { aStrand } from '@skein/core/testing/a-strand';
import { expect, test } from 'vitest';
import { createRunningTurns } from '../agents/running-turns.ts';
import { newOpId } from '../platform/ids.ts';
import type { StrandWriter } from '../strands/types.ts';
import { createRestore } from './restore.ts';

const A = strandIdSchema.parse('aaaaaaaaaaaa');

test('what ended a restore is what the caller hears, also when its writer cannot be closed', async () => {
  const faults: unknown[] = [];
  const running = createRunningTurns();
  const restore = createRestore({
    state: async () => emptyStrand(),
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

test('a restore that the opening finished is told, and nothing else is undone in its place', async () => {
  const running = createRunningTurns();
  let applied = 0;
  const strand = aStrand().exchange('one', 'ok', ['a']).exchange('two', 'ok', ['b']);
  const before = strand.state();
  strand.undo({ op: newOpId(), turns: [strand.promptId(2)], scope: 'files', files: ['b'] });
  const after = strand.state();
  const restore = createRestore({
    state: async () => before,
    pool: {
      use: async (_, work) => work({ id: A, state: after } as StrandWriter),
      discard: async () => undefined,
    },
    running,
    snapshots: {
      apply: async () => {
        applied += 1;
        throw new Error('applied');
      },
    },
    hub: { strandGrew: () => undefined },
    newOpId,
    announce: () => undefined,
    reportFault: () => undefined,
  });
  await expect(restore({ strand: A, direction: 'undo', scope: 'both' })).rejects.toMatchObject({
    code: 'stale_plan',
  });
  expect(applied).toBe(0);
});

import { strandIdSchema } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { createRunningTurns } from '../agents/running-turns.ts';
import { newRecordId } from '../platform/ids.ts';
import { createInterruptTurn } from './interrupt-turn.ts';

const A = strandIdSchema.parse('aaaaaaaaaaaa');

test('an interrupt stops a turn; a restore is waited for and not said to be interrupted', async () => {
  const running = createRunningTurns();
  const interrupt = createInterruptTurn({ running });
  expect(await interrupt({ strand: A })).toEqual({ interrupted: false });
  const restore = running.begin(A);
  setTimeout(() => restore?.finish(), 10);
  expect(await interrupt({ strand: A })).toEqual({ interrupted: false });
  const turn = running.begin(A);
  if (turn !== null) turn.running.turn = newRecordId();
  turn?.running.controller.signal.addEventListener('abort', turn.finish);
  expect(await interrupt({ strand: A })).toEqual({ interrupted: true });
});

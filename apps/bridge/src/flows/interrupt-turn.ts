/** Ends the running turn: partial text is kept, every open tool call gets an answer (requirements 37). */
import type { StrandId } from '@skein/core/record/ids';
import type { RunningTurns } from '../agents/running-turns.ts';

/** Resolves when the turn record is on disk; false when no turn was running, only a restore or nothing. */
export const createInterruptTurn =
  (deps: { readonly running: Pick<RunningTurns, 'get'> }) =>
  async ({ strand }: { readonly strand: StrandId }): Promise<{ interrupted: boolean }> => {
    const running = deps.running.get(strand);
    if (running === undefined) return { interrupted: false };
    running.controller.abort();
    await running.settled;
    // A restore holds the session too, but cannot be stopped half-way.
    return { interrupted: running.turn !== null };
  };

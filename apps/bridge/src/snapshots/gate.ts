/**
 * One turn's gate: every write of an agent's own tools goes through it, one after the other in a workspace. What it
 * let through can be undone; what it could not save it does not let through.
 */
import type { Coverage, FileChange } from '@skein/core/record/schema';
import { gateCheckpoint, MAX_ENTRIES } from './gate-checkpoint.ts';
import type { GateContext } from './gate-context.ts';
import { readPlace } from './gate-read.ts';
import { gateRemove } from './gate-remove.ts';
import { gateWrite } from './gate-write.ts';
import { unmark } from './open-marker.ts';
import { settleTurn } from './settle-turn.ts';
import { captureAfter, captureBefore } from './turn-trees.ts';
import type { TurnGate } from './types.ts';

export const createGate = (gate: GateContext): TurnGate => {
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => gate.store.queue.run(`root:${gate.root}`, task);
  return {
    read: (path) => readPlace(gate, path),
    write: (request) => inTurn(() => gateWrite(gate, request)),
    remove: (request) => inTurn(() => gateRemove(gate, request)),
    checkpoint: (request) =>
      inTurn(async () => {
        const outcome = await gateCheckpoint(gate, request);
        return outcome.kind === 'refused' ? outcome : { ...outcome, settle: () => inTurn(outcome.settle) };
      }),
    async beforeUngated(call, signal) {
      gate.memory.ungated.push(call);
      await captureBefore(gate, signal);
    },
    async settle() {
      // Not in the queue: writes of other sessions need not wait for a capture.
      const missed = await captureAfter(gate);
      return inTurn(() => settleGate(gate, missed));
    },
  };
};

async function settleGate(
  gate: GateContext,
  notCovered: readonly string[],
): Promise<{ readonly files: readonly FileChange[]; readonly coverage: Coverage }> {
  const settled = await settleTurn(gate.store, gate.strand, gate.turn);
  await unmark(gate.store, gate.strand);
  gate.store.openTurns.end(gate.root, gate.strand);
  const missed = [...notCovered, ...[...gate.memory.unlisted].map(unlistedReason)];
  if (missed.length === 0 || settled.coverage.level === 'none') return settled;
  return { ...settled, coverage: { level: 'partial', reasons: [...settled.coverage.reasons, ...missed] } };
}

function unlistedReason(paths: string): string {
  return `A command left more than ${MAX_ENTRIES} entries in what checkpoint_paths named (${paths}): files that it made there are not undone.`;
}

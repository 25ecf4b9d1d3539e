/**
 * Which turns are running in this process, and what a page that joins one needs to see. Holds no file and
 * appends nothing; a turn outlives every page and socket.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandState as LiveState, StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { LiveEvent } from '@skein/core/turn/agent-event';

export interface RunningTurn {
  readonly strand: StrandId;
  /** Null until the prompt is on disk. */
  turn: TurnId | null;
  readonly controller: AbortController;
  /** Permission requests that wait for a person. */
  readonly waiting: Set<string>;
  /** The unfinished step as one event, the line count it belongs to and the live events it contains. */
  catchUp: () => { readonly event: LiveEvent; readonly seq: number; readonly n: number } | null;
  /** Resolves when the turn record is on disk, or could not be written. */
  readonly settled: Promise<void>;
}

export interface RunningTurns {
  /** Null when a turn of that strand runs already. Call `finish` exactly once. Fault `busy` while the bridge stops. */
  begin(strand: StrandId): { readonly running: RunningTurn; readonly finish: () => void } | null;
  get(strand: StrandId): RunningTurn | undefined;
  all(): readonly RunningTurn[];
  /** From now on nothing begins: what runs is all that has to end. */
  stop(): void;
  isStopping(): boolean;
  /** The summary with what is going on right now laid over it. */
  overlay(summary: StrandSummary): StrandSummary;
}

export const createRunningTurns = (): RunningTurns => {
  const turns = new Map<StrandId, RunningTurn>();
  let stopping = false;
  const stateOf = (running: RunningTurn): LiveState => (running.waiting.size > 0 ? 'waiting' : 'running');
  return {
    begin(strand) {
      if (stopping)
        throw new BridgeError('busy', 'Skein is stopping; send this again when it has started.', {
          data: { holder: 'stop' },
        });
      if (turns.has(strand)) return null;
      const { promise, resolve } = Promise.withResolvers<void>();
      const running: RunningTurn = {
        strand,
        turn: null,
        controller: new AbortController(),
        waiting: new Set(),
        catchUp: () => null,
        settled: promise,
      };
      turns.set(strand, running);
      const finish = (): void => {
        turns.delete(strand);
        resolve();
      };
      return { running, finish };
    },
    get: (strand) => turns.get(strand),
    all: () => [...turns.values()],
    stop() {
      stopping = true;
    },
    isStopping: () => stopping,
    overlay(summary) {
      const running = turns.get(summary.id);
      return running === undefined ? summary : { ...summary, state: stateOf(running) };
    },
  };
};

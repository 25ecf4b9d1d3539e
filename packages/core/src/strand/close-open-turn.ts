/** What a turn that a crash left open needs before the strand goes on (DESIGN section 4, "Prompt"). */
import type { ToolResultPart } from '../record/parts.ts';
import type { Coverage, FileChange, RecordBody } from '../record/schema.ts';
import { interruptedResult } from './context.ts';
import { pairCalls } from './pair-calls.ts';
import { nodesTo } from './path.ts';
import type { StrandState } from './state.ts';

/** What the turn's journal says about its files. */
export interface OpenTurnFiles {
  readonly files: readonly FileChange[];
  readonly coverage: Coverage;
}

/** An `interrupted` result for each open call, then the `turn` record; empty when no turn is open. */
export const closingRecords = (state: StrandState, { files, coverage }: OpenTurnFiles): RecordBody[] => {
  const turn = state.openTurn;
  if (turn === null) return [];
  const records = nodesTo(state, state.tip).flatMap((node) =>
    node.prompt === turn && node.record !== null ? [node.record] : [],
  );
  const results = pairCalls(records)
    .filter(({ result }) => result === null)
    .map(({ call }) => toolMessage(interruptedResult(call.call)));
  return [...results, { kind: 'turn', prompt: turn, outcome: 'interrupted', files: [...files], coverage }];
};

/** A tool result as the record that carries it. */
export const toolMessage = (part: ToolResultPart): RecordBody => ({
  kind: 'message',
  role: 'tool',
  by: 'bridge',
  parts: [part],
});

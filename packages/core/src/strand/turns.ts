/** The turns of the path to the tip, and the tool calls in it that have no result. */
import type { TurnSummary } from '../protocol/strands.ts';
import type { RecordId } from '../record/ids.ts';
import type { ToolCallPart } from '../record/parts.ts';
import { pairCalls } from './pair-calls.ts';
import { nodesTo, pathTo } from './path.ts';
import { promptText } from './prompts.ts';
import type { StrandNode, StrandState } from './state.ts';
import { NO_SPEND } from './usage.ts';

/** Oldest first; `number` counts from 1 on this path. A turn without a `turn` record has outcome null. */
export const turnsOf = (state: StrandState, tip: RecordId | null = state.tip): readonly TurnSummary[] =>
  nodesTo(state, tip).flatMap((node) => (node.prompt === node.id ? [summaryOfTurn(state, node)] : []));

/** One turn by its prompt, on whatever path it lies; null when there is no such prompt. */
export const getTurn = (state: StrandState, turn: RecordId): TurnSummary | null => {
  const node = state.nodes.get(turn);
  return node !== undefined && node.prompt === node.id ? summaryOfTurn(state, node) : null;
};

/** Calls on the path to the tip that no result answers, oldest first. */
export const openCalls = (state: StrandState): readonly ToolCallPart[] =>
  pairCalls(pathTo(state, state.tip)).flatMap(({ call, result }) => (result === null ? [call] : []));

function summaryOfTurn(state: StrandState, node: StrandNode): TurnSummary {
  const settled = state.turnRecords.get(node.id);
  const spend = state.spendByTurn.get(node.id) ?? NO_SPEND;
  return {
    turn: node.id,
    number: Math.max(1, node.prompts),
    prompt: node.record?.kind === 'message' ? promptText(node.record) : '',
    at: node.at,
    outcome: settled?.outcome ?? null,
    files: settled?.files ?? [],
    coverage: settled?.coverage ?? null,
    undone: state.undone.has(node.id),
    usage: spend.usage,
    cost: spend.cost,
  };
}

/**
 * Which tool call has which result. Agents may reuse call ids, so a result belongs to the newest call of its
 * id that has none yet. Every reader that needs pairs goes through here.
 */
import type { RecordId } from '../record/ids.ts';
import type { Part, ToolCallPart, ToolResultPart } from '../record/parts.ts';
import type { StrandRecord } from '../record/schema.ts';

export interface PairedCall {
  readonly call: ToolCallPart;
  /** The assistant message that made the call. */
  readonly from: RecordId;
  readonly result: { readonly part: ToolResultPart; readonly record: RecordId } | null;
}

/** The calls of a path in order. Results without a call are left out. */
export const pairCalls = (path: readonly StrandRecord[]): readonly PairedCall[] => {
  const pairs: PairedCall[] = [];
  const open = new Map<string, number>();
  for (const { part, record } of path.flatMap(partsOf)) {
    if (part.type === 'tool_call') {
      open.set(part.call, pairs.length);
      pairs.push({ call: part, from: record, result: null });
    } else if (part.type === 'tool_result') {
      answer(pairs, open.get(part.call), { part, record });
      open.delete(part.call);
    }
  }
  return pairs;
};

function partsOf(record: StrandRecord): readonly { readonly part: Part; readonly record: RecordId }[] {
  return record.kind === 'message' ? record.parts.map((part) => ({ part, record: record.id })) : [];
}

function answer(
  pairs: PairedCall[],
  index: number | undefined,
  result: NonNullable<PairedCall['result']>,
): void {
  const pair = index === undefined ? undefined : pairs[index];
  if (index !== undefined && pair !== undefined) pairs[index] = { ...pair, result };
}

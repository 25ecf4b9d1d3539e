/**
 * Which tool call has which result. Agents may reuse call ids, so a result belongs to the newest call of its
 * id that has none yet. Every reader that needs pairs goes through here.
 */
import type { RecordId } from '../record/ids.ts';
import type { ToolCallPart, ToolResultPart } from '../record/parts.ts';
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
  for (const record of path) {
    if (record.kind !== 'message') continue;
    for (const part of record.parts) {
      if (part.type === 'tool_call') {
        open.set(part.call, pairs.length);
        pairs.push({ call: part, from: record.id, result: null });
      } else if (part.type === 'tool_result') {
        const index = open.get(part.call);
        const pair = index === undefined ? undefined : pairs[index];
        if (index === undefined || pair === undefined) continue;
        pairs[index] = { ...pair, result: { part, record: record.id } };
        open.delete(part.call);
      }
    }
  }
  return pairs;
};

/**
 * What the model may see: the path after the last `boundary`, where a digest stands for everything before
 * its kept tail (DESIGN section 4). Providers refuse a call without a result and a result without a call,
 * so each call is followed by exactly one result, an `interrupted` one where none was written.
 */
import type { RecordId } from '../record/ids.ts';
import type { Part, ToolResultPart } from '../record/parts.ts';
import type { RecordOf, StrandRecord } from '../record/schema.ts';
import { type PairedCall, pairCalls } from './pair-calls.ts';
import { pathTo } from './path.ts';
import type { StrandState } from './state.ts';

export interface ContextMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly parts: readonly Part[];
  /** The message or digest it comes from; for a result that was made up, the message with the call. */
  readonly record: RecordId;
  /** Assistant only: a thinking signature is good for the model that made it and no other. */
  readonly model: string | null;
}

/** What the model is given: the path after the last boundary, with what a digest covers replaced by its summary. */
export const contextOf = (state: StrandState): readonly ContextMessage[] =>
  contextOfPath(pathTo(state, state.tip));

/** The same for a path that a caller has at hand (a fork, an export of an offshoot). */
export const contextOfPath = (path: readonly StrandRecord[]): readonly ContextMessage[] => {
  const visible = withoutRetried(afterDigest(afterBoundary(path)));
  const pairs = groupByMessage(pairCalls(visible));
  return visible.flatMap((record) => {
    if (record.kind === 'digest') return [digestMessage(record)];
    return record.kind === 'message' ? messagesOf(record, pairs.get(record.id) ?? []) : [];
  });
};

/** What stands in for a result that never came. */
export const interruptedResult = (call: string): ToolResultPart => ({
  type: 'tool_result',
  call,
  status: 'interrupted',
  output: 'Interrupted before it finished; it may have taken effect in part.',
});

function afterBoundary(path: readonly StrandRecord[]): readonly StrandRecord[] {
  return path.slice(path.findLastIndex((record) => record.kind === 'boundary') + 1);
}

/** A step that broke off and was tried again: the user keeps what was seen, the model needs only the whole answer. */
function withoutRetried(path: readonly StrandRecord[]): readonly StrandRecord[] {
  const messages = path.filter((record) => record.kind === 'message');
  const retried = new Set(
    messages.filter((message, index) => isBroken(message) && messages[index + 1]?.role === 'assistant'),
  );
  return path.filter((record) => record.kind !== 'message' || !retried.has(record));
}

function isBroken({ role, stop, parts }: RecordOf<'message'>): boolean {
  return role === 'assistant' && stop === 'error' && !parts.some((part) => part.type === 'tool_call');
}

/** The newest digest comes first, then the tail it keeps, then what was said after it. */
function afterDigest(path: readonly StrandRecord[]): readonly StrandRecord[] {
  const index = path.findLastIndex((record) => record.kind === 'digest');
  const digest = path[index];
  if (digest === undefined || digest.kind !== 'digest') return path;
  const keepFrom = path.findIndex((record) => record.id === digest.keepFrom);
  // A tail that is not on the path (before a boundary, or in another branch) is covered by the summary.
  const kept = keepFrom === -1 ? [] : path.slice(keepFrom, index);
  return [digest, ...kept.filter((record) => record.kind !== 'digest'), ...path.slice(index + 1)];
}

function digestMessage({ id, summary }: RecordOf<'digest'>): ContextMessage {
  return { role: 'user', parts: [{ type: 'text', text: summary }], record: id, model: null };
}

/** A message as the model gets it; results are put right behind the message that made the calls. */
function messagesOf(message: RecordOf<'message'>, pairs: readonly PairedCall[]): readonly ContextMessage[] {
  const parts = message.parts.filter((part) => part.type !== 'tool_result');
  // Nothing was said before an error or an interrupt: an empty message is refused by providers.
  if (parts.length === 0) return [];
  const model = message.model ?? null;
  const said: ContextMessage = { role: message.role, parts, record: message.id, model };
  return [said, ...pairs.map(resultMessage)];
}

function resultMessage({ call, from, result }: PairedCall): ContextMessage {
  const part = result?.part ?? interruptedResult(call.call);
  return { role: 'tool', parts: [part], record: result?.record ?? from, model: null };
}

function groupByMessage(pairs: readonly PairedCall[]): Map<RecordId, PairedCall[]> {
  const groups = new Map<RecordId, PairedCall[]>();
  for (const pair of pairs) {
    const group = groups.get(pair.from);
    if (group === undefined) groups.set(pair.from, [pair]);
    else group.push(pair);
  }
  return groups;
}

/** A whole file of another agent, read as the bridge reads it, and what came of it in numbers. */
import type { AnyReader, Emitted, SessionFacts } from '../import/reader.ts';
import type { StrandRecord, Usage } from '../record/schema.ts';
import { isPrompt } from '../strand/prompts.ts';
import { addUsage } from '../strand/usage.ts';

/** `between`: called with the state between any two lines; what it returns is read on from. */
export const readWhole = (
  reader: AnyReader,
  file: { readonly path: string; readonly text: string },
  between: (state: unknown) => unknown = (state) => state,
): readonly Emitted[] => {
  let state = reader.start({ path: file.path });
  if (reader.unit === 'document') return [...reader.read(state, file.text, 1), ...reader.end(state)];
  const lines = file.text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const emitted: Emitted[] = [];
  for (const [index, line] of lines.entries()) {
    emitted.push(...reader.read(state, line, index + 1));
    state = between(state);
  }
  return [...emitted, ...reader.end(state)];
};

/** Records in order, each as it was said last. */
export const recordsOf = (emitted: readonly Emitted[]): readonly StrandRecord[] => {
  const records = new Map<string, StrandRecord>();
  for (const one of emitted) if (one.kind === 'record') records.set(one.record.id, one.record);
  return [...records.values()];
};

export interface ImportSummary {
  readonly prompts: number;
  readonly answers: number;
  readonly calls: number;
  readonly results: number;
  readonly digests: number;
  /** Places where the session went on from an earlier record. */
  readonly branches: number;
  readonly usage: Usage | null;
  readonly bad: number;
  readonly unknown: number;
  readonly facts: Partial<SessionFacts>;
}

export const summaryOf = (emitted: readonly Emitted[]): ImportSummary => {
  const records = recordsOf(emitted);
  const parts = records.flatMap((record) => (record.kind === 'message' ? record.parts : []));
  const usage = records.reduce<Usage | null>((sum, record) => {
    const told = record.kind === 'message' || record.kind === 'usage' ? record.usage : undefined;
    return told === undefined ? sum : addUsage(sum, told);
  }, null);
  const facts = emitted.flatMap((one) => (one.kind === 'facts' ? [one.facts] : []));
  return {
    prompts: records.filter(isPrompt).length,
    answers: records.filter((record) => record.kind === 'message' && record.role === 'assistant').length,
    calls: parts.filter(({ type }) => type === 'tool_call').length,
    results: parts.filter(({ type }) => type === 'tool_result').length,
    digests: records.filter(({ kind }) => kind === 'digest').length,
    branches: records.filter(({ kind }) => kind === 'tip').length,
    usage,
    bad: emitted.filter(({ kind }) => kind === 'bad').length,
    unknown: emitted.filter(({ kind }) => kind === 'unknown').length,
    facts: Object.assign({}, ...facts) as Partial<SessionFacts>,
  };
};

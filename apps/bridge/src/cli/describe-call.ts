/** A tool call, and what became of it, in one line each. */
import { contentHead, type ToolResultPart } from '@skein/core/record/parts';

/** Inputs of other people's tools have any shape; the first of these that is there says most. */
const TELLING = ['path', 'file_path', 'command', 'pattern', 'query', 'url', 'prompt', 'description'] as const;

export const describeCall = (name: string, input: unknown): string => {
  const target = targetOf(input);
  return target === '' ? name : `${name} ${target}`;
};

const targetOf = (input: unknown): string => {
  if (typeof input !== 'object' || input === null) return typeof input === 'string' ? input : '';
  const fields = new Map(Object.entries(input));
  for (const key of TELLING) {
    const value: unknown = fields.get(key);
    if (typeof value === 'string' && value !== '') return value;
  }
  return fields.size === 0 ? '' : JSON.stringify(input);
};

/** Why a call did not go well: its status or exit code, and the last line of its output that has words. Empty when it did. */
export const describeFailure = (result: ToolResultPart): string => {
  if (result.status === 'ok') return '';
  const how = result.exitCode === undefined ? result.status : `exit ${result.exitCode}`;
  const last = contentHead(result.output)
    .split('\n')
    .findLast((text) => /\p{L}/u.test(text))
    ?.trim();
  return last === undefined ? how : `${how}: ${last}`;
};

/**
 * What a model sees of a tool's result. The record keeps the whole; this view of it is the same in the turn
 * itself and in every later one, so that the cached prefix of a conversation stays valid.
 */
import type { ToolResultStatus } from '@skein/core/record/parts';

/** Characters kept of a long output, half of them from its end. */
const MAX_CHARACTERS = 30_000;

export const modelView = (result: {
  readonly status: ToolResultStatus;
  readonly output: string;
  readonly exitCode?: number | undefined;
}): string => {
  const shown = headAndTail(result.output.toWellFormed(), MAX_CHARACTERS);
  const failed = result.exitCode !== undefined && result.exitCode !== 0;
  const lines = [shown.trimEnd(), ...(failed ? [`[exit code ${result.exitCode}]`] : [])];
  const text = lines.filter((line) => line !== '').join('\n');
  return text === '' ? '(no output)' : text;
};

/** Cut between code points; a line in the middle says how much is missing. */
export const headAndTail = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const head = text.slice(0, Math.ceil(max / 2)).replace(/[\ud800-\udbff]$/, '');
  const tail = text.slice(text.length - Math.floor(max / 2)).replace(/^[\udc00-\udfff]/, '');
  return `${head}\n[${text.length - head.length - tail.length} characters left out]\n${tail}`;
};

/** Sessions, newest first, filtered and in pages; never parses a transcript. */
import type { listInputSchema, listOutputSchema, StrandSummary } from '@skein/core/protocol/strands';
import type { z } from 'zod';

export interface ListStrandsDeps {
  /** Every summary with live states laid over, newest first. */
  readonly summaries: () => Promise<readonly StrandSummary[]>;
  /** Real path of a folder, or the path itself when it is gone. */
  readonly realPath: (path: string) => Promise<string>;
}

type Input = z.output<typeof listInputSchema>;

export const createListStrands =
  (deps: ListStrandsDeps) =>
  async (input: Input): Promise<z.infer<typeof listOutputSchema>> => {
    const cwd = input.cwd === undefined ? undefined : await deps.realPath(input.cwd);
    const found = (await deps.summaries()).filter((summary) => matches(summary, { ...input, cwd }));
    const start =
      input.after === undefined ? 0 : found.findIndex((summary) => keyOf(summary) === input.after) + 1;
    const items = found.slice(start, start + input.limit);
    const last = items.at(-1);
    const next = last !== undefined && start + items.length < found.length ? keyOf(last) : null;
    return { items, next, total: found.length };
  };

const keyOf = (summary: StrandSummary): string => summary.id;

const matches = (
  summary: StrandSummary,
  input: Omit<Input, 'cwd'> & { readonly cwd: string | undefined },
): boolean => {
  const { cwd, agent, archived, changed, text } = input;
  if (cwd !== undefined && summary.cwd !== cwd) return false;
  if (agent !== undefined && summary.agent !== agent) return false;
  if (archived !== undefined && summary.archived !== archived) return false;
  if (changed !== undefined && summary.changed !== changed) return false;
  if (text === undefined || text === '') return true;
  const needle = text.toLocaleLowerCase();
  return [summary.title, summary.name ?? '', summary.cwd].some((field) =>
    field.toLocaleLowerCase().includes(needle),
  );
};

/** Adding up tokens and dollars. */
import type { Usage } from '../record/schema.ts';
import type { Spend } from './state.ts';

export const NO_SPEND: Spend = { usage: null, cost: 0 };

/** Tokens and US dollars, added up; what was not reported counts as nothing. */
export const addSpend = (spend: Spend, usage: Usage | undefined, cost: number | undefined): Spend => ({
  usage: usage === undefined ? spend.usage : addUsage(spend.usage, usage),
  cost: spend.cost + (cost ?? 0),
});

/** A member that neither side has stays absent: "not told" is not zero. */
export const addUsage = (a: Usage | null, b: Usage): Usage => {
  if (a === null) return b;
  const sum: Usage = { input: a.input + b.input, output: a.output + b.output };
  for (const key of ['cacheRead', 'cacheWrite', 'reasoning'] as const) {
    if (a[key] !== undefined || b[key] !== undefined) sum[key] = (a[key] ?? 0) + (b[key] ?? 0);
  }
  return sum;
};

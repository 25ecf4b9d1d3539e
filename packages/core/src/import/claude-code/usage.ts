/** Tokens of one API message, which Claude Code writes again with each of its lines (FORMATS: count once, keep the largest). */
import type { Usage } from '../../record/schema.ts';
import { countOf, type JsonObject } from '../json.ts';

export const usageOf = (told: JsonObject): Usage => {
  const cacheRead = countOf(told['cache_read_input_tokens']);
  const cacheWrite = countOf(told['cache_creation_input_tokens']);
  return {
    input: countOf(told['input_tokens']) + cacheRead + cacheWrite,
    output: countOf(told['output_tokens']),
    cacheRead,
    cacheWrite,
  };
};

/** What is told now beyond what was told of the same message before; null when that is nothing. */
export const beyond = (before: Usage | undefined, now: Usage): Usage | null => {
  const more = (key: 'input' | 'output' | 'cacheRead' | 'cacheWrite'): number =>
    Math.max(0, (now[key] ?? 0) - (before?.[key] ?? 0));
  const usage = {
    input: more('input'),
    output: more('output'),
    cacheRead: more('cacheRead'),
    cacheWrite: more('cacheWrite'),
  };
  return usage.input + usage.output === 0 ? null : usage;
};

export const largest = (before: Usage | undefined, now: Usage): Usage => {
  const max = (key: 'input' | 'output' | 'cacheRead' | 'cacheWrite'): number =>
    Math.max(before?.[key] ?? 0, now[key] ?? 0);
  return {
    input: max('input'),
    output: max('output'),
    cacheRead: max('cacheRead'),
    cacheWrite: max('cacheWrite'),
  };
};

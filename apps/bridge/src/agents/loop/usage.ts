/** Token counts as the AI SDK gives them, in the words of records. A provider that says nothing has no usage. */
import type { Usage } from '@skein/core/record/schema';
import type { LanguageModelUsage } from 'ai';

export const usageOf = (usage: LanguageModelUsage): Usage | undefined => {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const optional = {
    cacheRead: inputTokenDetails.cacheReadTokens,
    cacheWrite: inputTokenDetails.cacheWriteTokens,
    reasoning: outputTokenDetails.reasoningTokens,
  };
  const known = Object.entries(optional).filter(([, count]) => count !== undefined && count > 0);
  return { input: inputTokens ?? 0, output: outputTokens ?? 0, ...Object.fromEntries(known) };
};

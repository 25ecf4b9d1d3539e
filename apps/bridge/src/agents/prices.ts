/**
 * What models cost, in US dollars per million tokens: list prices of the providers' own pages, read in
 * November 2026. A small help, no bill: prices of the config win, and an unknown model has no cost at all.
 */
import type { ProviderConfig } from '@skein/core/config/personal';
import type { Usage } from '@skein/core/record/schema';

export interface Price {
  readonly input: number;
  readonly output: number;
  /** Default: the price of input. */
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
  /** Prompts longer than so many tokens cost this many times as much, output `output` times. */
  readonly long?: { readonly above: number; readonly input: number; readonly output: number } | undefined;
}

const claude = (input: number, output: number, cacheRead = input / 10): Price => ({
  input,
  output,
  cacheRead,
  cacheWrite: input * 1.25,
});

const PRICES: Readonly<Record<string, Price>> = {
  'claude-fable-5-1': claude(10, 50, 0.25),
  'claude-fable-5': claude(10, 50),
  'claude-opus-5-5': claude(4, 20, 0.2),
  'claude-opus-5': claude(5, 25),
  'claude-opus-4-8': claude(5, 25),
  'claude-opus-4-7': claude(5, 25),
  'claude-opus-4-6': claude(5, 25),
  'claude-opus-4-5': claude(5, 25),
  'claude-sonnet-5-5': claude(2, 10, 0.1),
  'claude-sonnet-5': claude(2, 10),
  'claude-sonnet-4-6': claude(3, 15),
  'claude-sonnet-4-5': claude(3, 15),
  'claude-haiku-5-5': { ...claude(0.1, 0.5), long: { above: 100_000, input: 5, output: 5 } },
  'claude-haiku-4-5': claude(1, 5),
  'gpt-6-astra': { input: 10, output: 50, cacheRead: 1 },
  'gpt-6.1-sol': { input: 2, output: 10, cacheRead: 0.1 },
  'gpt-6-sol': { input: 2, output: 10, cacheRead: 0.2 },
  'gpt-6-luna': { input: 0.1, output: 0.5, cacheRead: 0.01 },
  'gpt-5.6-terra': { input: 2, output: 12, cacheRead: 0.2 },
  'gpt-5.6-luna': { input: 0.2, output: 1.2, cacheRead: 0.02 },
  'gpt-5.4': { input: 2.5, output: 15, cacheRead: 0.25 },
  'gpt-5.4-mini': { input: 0.75, output: 4.5, cacheRead: 0.075 },
  'gemini-3.8-flash': { input: 0.75, output: 3.75 },
  'gemini-3.5-flash': { input: 1.5, output: 9 },
  'gemini-3.1-pro-preview': { input: 2, output: 12, long: { above: 200_000, input: 2, output: 1.5 } },
  'gemini-2.5-pro': { input: 1.25, output: 10, long: { above: 200_000, input: 2, output: 1.5 } },
};

/** The price of a model at a provider, or null. A dated name (`…-20251001`, `…-2026-03-05`) is its model. */
export const priceOf = (config: ProviderConfig, model: string): Price | null => {
  const own = config.prices?.[model];
  if (own !== undefined) return own;
  // At another endpoint the same name may cost anything.
  if (config.kind === 'openai-compatible') return null;
  return PRICES[model] ?? PRICES[model.replace(/-(\d{8}|\d{4}-\d\d-\d\d)$/, '')] ?? null;
};

/** US dollars; undefined when the price or the usage is not known. */
export const costOf = (price: Price | null, usage: Usage | undefined): number | undefined => {
  if (price === null || usage === undefined) return undefined;
  const { input, output, cacheRead = 0, cacheWrite = 0 } = usage;
  const fresh = Math.max(0, input - cacheRead - cacheWrite);
  const isLong = price.long !== undefined && input > price.long.above;
  const sent =
    fresh * price.input +
    cacheRead * (price.cacheRead ?? price.input) +
    cacheWrite * (price.cacheWrite ?? price.input);
  const factor = isLong && price.long !== undefined ? price.long : { input: 1, output: 1 };
  return (sent * factor.input + output * price.output * factor.output) / 1_000_000;
};

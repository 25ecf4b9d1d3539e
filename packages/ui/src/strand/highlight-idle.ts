/** Colours without a worker: only small texts, only when the page has nothing else to do. */
import type { TokenLine } from './highlight-tokens.ts';

const MAX_CHARS = 8000;

type Tokenize = (code: string, language: string) => Promise<readonly TokenLine[]>;

let tokenizer: Promise<Tokenize> | null = null;

export const highlightIdle = async (code: string, language: string): Promise<readonly TokenLine[] | null> => {
  if (code.length > MAX_CHARS) return null;
  tokenizer ??= import('./highlight-tokens.ts').then(({ createTokenizer }) => createTokenizer());
  const tokenize = await tokenizer;
  await idle();
  return tokenize(code, language);
};

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 50);
  });
}

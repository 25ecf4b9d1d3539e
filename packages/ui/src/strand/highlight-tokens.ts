/** The colouring itself: shiki's core with the regular expressions of JavaScript, no WebAssembly. */
import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { loadLanguage } from './highlight-grammars.ts';

/** Text and the number of its `tok-` class; 0 is plain. */
export type TokenLine = readonly (readonly [text: string, group: number])[];

export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: string;
  readonly deadlineMs: number;
}

export interface HighlightReply {
  readonly id: number;
  readonly lines: readonly TokenLine[] | null;
}

const GROUPS: ReadonlyMap<string, number> = new Map([
  ['keyword', 1],
  ['string', 2],
  ['string-expression', 2],
  ['constant', 3],
  ['function', 4],
  ['comment', 5],
  ['parameter', 6],
  ['punctuation', 7],
  ['link', 8],
]);

const THEME = createCssVariablesTheme({ name: 'skein', variablePrefix: '--shiki-', fontStyle: false });

export const createTokenizer = (): ((code: string, language: string) => Promise<readonly TokenLine[]>) => {
  const core: Promise<HighlighterCore> = createHighlighterCore({
    themes: [THEME],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  return async (code, language) => {
    const highlighter = await core;
    if (!highlighter.getLoadedLanguages().includes(language)) {
      await highlighter.loadLanguage(await loadLanguage(language));
    }
    const lines = highlighter.codeToTokensBase(code, {
      lang: language,
      theme: 'skein',
      tokenizeTimeLimit: 200,
    });
    return lines.map((line) =>
      joinSame(line.map(({ content, color }) => [content, groupOf(color)] as const)),
    );
  };
};

/** `var(--shiki-token-keyword)` → 1. */
function groupOf(color: string | undefined): number {
  const name = /--shiki-token-([a-z-]+)/.exec(color ?? '')?.[1];
  return name === undefined ? 0 : (GROUPS.get(name) ?? 0);
}

function joinSame(tokens: TokenLine): TokenLine {
  const joined: [string, number][] = [];
  for (const [text, group] of tokens) {
    const last = joined.at(-1);
    if (last !== undefined && (last[1] === group || text.trim() === '')) last[0] += text;
    else joined.push([text, group]);
  }
  return joined;
}

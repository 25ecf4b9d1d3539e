/** Finding by words: each word of the query is in the text, or its letters are, from the starts of words. Pure. */

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** Shorter ones fit nearly everything by their letters alone. */
const SHORTEST_FUZZY = 3;

export interface Searched {
  /** In lower case. */
  readonly text: string;
  /** Where the title ends and the less telling part begins. */
  readonly titleEnd: number;
}

export const searched = (title: string, detail = ''): Searched => ({
  text: `${title} ${detail}`.toLowerCase(),
  titleEnd: title.length,
});

export const wordsOf = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/** 0: does not fit. Words may come in any order; every one of them must fit. */
export const scoreOf = ({ text, titleEnd }: Searched, words: readonly string[]): number => {
  let sum = 0;
  for (const word of words) {
    const score = scoreOfWord(text, word, titleEnd);
    if (score === 0) return 0;
    sum += score;
  }
  return words.length === 0 ? 1 : sum / words.length;
};

function scoreOfWord(text: string, word: string, titleEnd: number): number {
  const at = text.indexOf(word);
  if (at === -1) return word.length >= SHORTEST_FUZZY && fitsLetters(text, word) ? 1 : 0;
  const inTitle = at < titleEnd ? 1 : 0;
  if (at === 0) return 5;
  return (isWordStart(text, at) ? 3 : 2) + inTitle;
}

/** `ffb` fits "fix flaky billing" and `rwrk` fits "rework": each letter goes on in its word or begins a later one. */
function fitsLetters(text: string, word: string): boolean {
  for (let from = text.indexOf(word[0] ?? ''); from !== -1; from = text.indexOf(word[0] ?? '', from + 1)) {
    if (isWordStart(text, from) && fitsLettersFrom(text, word, from)) return true;
  }
  return false;
}

function fitsLettersFrom(text: string, word: string, from: number): boolean {
  let next = 1;
  let inSameWord = true;
  for (let at = from + 1; at < text.length && next < word.length; at += 1) {
    if (isWordStart(text, at)) inSameWord = false;
    if (text[at] === word[next] && (inSameWord || isWordStart(text, at))) {
      next += 1;
      inSameWord = true;
    }
  }
  return next === word.length;
}

function isWordStart(text: string, at: number): boolean {
  return isWordLetter(text, at) && !isWordLetter(text, at - 1);
}

function isWordLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (Number.isNaN(code)) return false;
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return LETTER_OR_DIGIT.test(text[at] ?? '');
}

export interface Ranked<T> {
  readonly items: readonly T[];
  /** How many fit; `items` may be fewer. */
  readonly total: number;
  readonly best: number;
}

/** The best first; those that fit as well as each other stay in the order they came in. */
export const rank = <T>(
  all: readonly { readonly item: T; readonly text: Searched }[],
  query: string,
  limit: number,
): Ranked<T> => {
  const words = wordsOf(query);
  const found: { readonly item: T; readonly score: number }[] = [];
  for (const { item, text } of all) {
    const score = scoreOf(text, words);
    if (score > 0) found.push({ item, score });
  }
  if (words.length > 0) found.sort((a, b) => b.score - a.score);
  const items = found.slice(0, limit).map(({ item }) => item);
  return { items, total: found.length, best: found[0]?.score ?? 0 };
};

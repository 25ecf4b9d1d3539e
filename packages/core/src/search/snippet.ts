/** The part of a text that shows why it was found, with the places of the words in it. */
import type { Clause } from './query.ts';
import { piecesOf, wordsOf } from './tokenize.ts';

export interface Snippet {
  readonly text: string;
  /** Pairs of UTF-16 offsets into `text`, in order, not overlapping. */
  readonly marks: readonly (readonly [number, number])[];
}

const BEFORE = 60;
const LENGTH = 240;
/** Words that are looked at for one snippet. */
const MAX_WORDS = 200_000;

export const snippetOf = (text: string, clauses: readonly Clause[]): Snippet => {
  const terms = new Map<string, boolean>();
  for (const { words, isPrefix } of clauses)
    for (const [at, word] of words.entries()) terms.set(word, isPrefix && at === words.length - 1);
  const hits = hitsIn(text, terms);
  const first = hits[0]?.[0] ?? 0;
  const from = startOfCut(text, Math.max(0, first - BEFORE));
  const to = endOfCut(text, Math.min(text.length, from + LENGTH));
  const [head, tail] = [from > 0 ? '…' : '', to < text.length ? '…' : ''];
  const shift = head.length - from;
  return {
    text: `${head}${text.slice(from, to).replace(/[\r\n\t]/g, ' ')}${tail}`,
    marks: hits.flatMap(([start, end]) =>
      start >= from && end <= to ? [[start + shift, end + shift] as const] : [],
    ),
  };
};

function hitsIn(text: string, terms: ReadonlyMap<string, boolean>): (readonly [number, number])[] {
  const hits: (readonly [number, number])[] = [];
  let seen = 0;
  let limit = text.length;
  for (const { term, start, end } of wordsOf(text)) {
    seen += 1;
    if (seen > MAX_WORDS || start > limit) break;
    const names = [term, ...piecesOf(text.slice(start, end))];
    if (!names.some((name) => isWanted(name, terms))) continue;
    hits.push([start, end]);
    if (hits.length === 1) limit = start + LENGTH;
  }
  return hits;
}

const isWanted = (name: string, terms: ReadonlyMap<string, boolean>): boolean => {
  if (terms.has(name)) return true;
  for (const [term, isPrefix] of terms) if (isPrefix && name.startsWith(term)) return true;
  return false;
};

/** Never in the middle of a pair of surrogates. */
const startOfCut = (text: string, at: number): number => (isLowSurrogate(text, at) ? at + 1 : at);
const endOfCut = (text: string, at: number): number => (isLowSurrogate(text, at) ? at - 1 : at);
const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

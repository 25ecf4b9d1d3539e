/** What a query means, said by the slowest and plainest way to answer it: an index has to say the same. */
import type { Clause, Query } from './query.ts';
import { piecesOf, wordsOf } from './tokenize.ts';

/** True when the words of a query are met by these texts; a phrase lies within one of them. Filters are not looked at. */
export const textMatches = (query: Pick<Query, 'all' | 'none'>, texts: readonly string[]): boolean => {
  const read = texts.map(readText);
  const isMet = (clause: Clause): boolean => read.some((one) => meets(one, clause));
  return query.all.every((alternatives) => alternatives.some(isMet)) && !query.none.some(isMet);
};

interface Read {
  readonly words: readonly string[];
  readonly pieces: ReadonlySet<string>;
}

const readText = (text: string): Read => {
  const words: string[] = [];
  const pieces = new Set<string>();
  for (const { term, start, end } of wordsOf(text)) {
    words.push(term);
    for (const piece of piecesOf(text.slice(start, end))) pieces.add(piece);
  }
  return { words, pieces };
};

function meets({ words, pieces }: Read, { words: wanted, isPrefix }: Clause): boolean {
  const [first = ''] = wanted;
  if (wanted.length === 1 && hasPiece(pieces, first, isPrefix)) return true;
  return words.some((_, at) =>
    wanted.every((word, by) => isSame(words[at + by], word, isPrefix && by === wanted.length - 1)),
  );
}

const hasPiece = (pieces: ReadonlySet<string>, word: string, isPrefix: boolean): boolean =>
  isPrefix ? [...pieces].some((piece) => piece.startsWith(word)) : pieces.has(word);

const isSame = (word: string | undefined, wanted: string, isPrefix: boolean): boolean =>
  word !== undefined && (isPrefix ? word.startsWith(wanted) : word === wanted);

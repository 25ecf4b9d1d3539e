/**
 * What was typed, as clauses. Every input means something and none is an error: what is no operator is a word, a quote
 * that is never closed closes at the end. What could not be meant is told in `hints`.
 */
import { wordsOf } from './tokenize.ts';

export interface Clause {
  /** One word, or the words of a phrase in order; a path or `a-b` is a phrase too. */
  readonly words: readonly string[];
  /** The last word is the beginning of one. */
  readonly isPrefix: boolean;
}

export const FILTERS = [
  'agent',
  'in',
  'file',
  'tool',
  'role',
  'model',
  'name',
  'before',
  'after',
  'has',
] as const;
export type FilterName = (typeof FILTERS)[number];

export interface Filter {
  readonly name: FilterName;
  readonly value: string;
  readonly isNot: boolean;
}

export interface Query {
  /** Each must be met by at least one of its alternatives. */
  readonly all: readonly (readonly Clause[])[];
  /** None may be met. */
  readonly none: readonly Clause[];
  readonly filters: readonly Filter[];
  /** `re:/source/flags`, flags of i, m, s and u only. */
  readonly regex: { readonly source: string; readonly flags: string } | null;
  readonly hints: readonly string[];
}

const MAX_CHARS = 2000;
const MAX_CLAUSES = 32;

interface Piece {
  readonly kind: 'or' | 'text' | 'phrase' | 'filter' | 'regex';
  readonly text: string;
  readonly isNot: boolean;
  readonly name: string;
}

const PIECE =
  /(-?)re:\/((?:\\.|[^\\/])+)\/([a-z]*)|(-?)([a-z]+):(?:"([^"]*)"?|(\S+))|(-?)"([^"]*)"?|(\S+)/giu;

export const parseQuery = (typed: string): Query => {
  const hints: string[] = [];
  if (typed.length > MAX_CHARS) hints.push(`Only the first ${MAX_CHARS} characters are looked for.`);
  const pieces = [...typed.slice(0, MAX_CHARS).matchAll(PIECE)].map(pieceOf);
  const filters = pieces.flatMap((piece) => filterOf(piece));
  const regexes = pieces.filter(({ kind }) => kind === 'regex');
  const regex = regexOf(regexes[0], hints);
  if (regexes.length > 1) hints.push('One re:/…/ is looked for, the first.');
  return { ...clausesOf(pieces), filters, regex, hints };
};

function pieceOf(found: RegExpExecArray): Piece {
  const [whole, reNot, source, flags, filterNot, name = '', quoted, plain, phraseNot, phrase] = found;
  if (source !== undefined) return { kind: 'regex', text: source, isNot: reNot === '-', name: flags ?? '' };
  const isFilter = (FILTERS as readonly string[]).includes(name.toLowerCase());
  if (name !== '' && isFilter) {
    return {
      kind: 'filter',
      text: quoted ?? plain ?? '',
      isNot: filterNot === '-',
      name: name.toLowerCase(),
    };
  }
  if (phrase !== undefined) return { kind: 'phrase', text: phrase, isNot: phraseNot === '-', name: '' };
  if (whole === 'OR' || whole === '|') return { kind: 'or', text: '', isNot: false, name: '' };
  const isNot = whole.startsWith('-') && whole.length > 1;
  return { kind: 'text', text: isNot ? whole.slice(1) : whole, isNot, name: '' };
}

const filterOf = ({ kind, name, text, isNot }: Piece): readonly Filter[] =>
  kind === 'filter' && text !== '' ? [{ name: name as FilterName, value: text, isNot }] : [];

function clausesOf(pieces: readonly Piece[]): Pick<Query, 'all' | 'none'> {
  const all: Clause[][] = [];
  const none: Clause[] = [];
  let isAlternative = false;
  for (const piece of pieces) {
    if (piece.kind === 'or') isAlternative = all.length > 0;
    if (piece.kind !== 'text' && piece.kind !== 'phrase') continue;
    const clause = clauseOf(piece);
    if (clause === null || all.length + none.length >= MAX_CLAUSES) continue;
    const last = all.at(-1);
    if (piece.isNot) none.push(clause);
    else if (isAlternative && last !== undefined) last.push(clause);
    else all.push([clause]);
    isAlternative = false;
  }
  return { all, none };
}

/** Null for what holds no word: punctuation alone. */
function clauseOf({ kind, text }: Piece): Clause | null {
  const words = [...wordsOf(text)].map(({ term }) => term);
  if (words.length === 0) return null;
  return { words, isPrefix: kind === 'text' && /[\p{L}\p{N}_]\*$/u.test(text) };
}

function regexOf(piece: Piece | undefined, hints: string[]): Query['regex'] {
  if (piece === undefined) return null;
  const flags = [...new Set(piece.name)].filter((flag) => 'imsu'.includes(flag)).join('');
  try {
    new RegExp(piece.text, flags);
    return { source: piece.text, flags };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    hints.push(`re:/${piece.text}/ is no regular expression and is left out.`);
    return null;
  }
}

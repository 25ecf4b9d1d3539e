/**
 * The one tokenizer, for texts and for what is searched in them. A word is what people write in one piece: letters,
 * digits, `_`, an apostrophe inside, `+` and `#` at its end (C++, C#). A word of code also stands for its pieces
 * (`getUserById`: get, user, by, id) and for its ends (`userbyid`), so that it is found by what one remembers of it.
 * Scripts without spaces give one word a character: a phrase of them is what was typed.
 */
export interface Word {
  /** Folded: NFKD without marks, lower case, without `_` and apostrophes. */
  readonly term: string;
  /** UTF-16 offsets into the text as it was given. */
  readonly start: number;
  readonly end: number;
}

/** Han, kana, Thai and the like; Hangul is written with spaces. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const WORD = new RegExp(
  `[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}_])(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}_]|['’](?=\\p{L}))*(?:\\+\\+|#(?![\\p{L}\\p{N}]))?|\\p{Extended_Pictographic}`,
  'gu',
);
/** A longer word is no word: base64, a hash of hashes. It is found by its beginning. */
const MAX_TERM = 64;

/** The words of a text in order. */
export const wordsOf = function* (text: string): Generator<Word> {
  for (const found of text.matchAll(WORD)) {
    const term = fold(found[0]);
    if (term !== '') yield { term, start: found.index, end: found.index + found[0].length };
  }
};

/** How a word is compared: case, accents, compatibility forms, `_` and apostrophes do not count. */
export const fold = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/[\p{M}_'’]/gu, '')
    .toLowerCase()
    .slice(0, MAX_TERM);

const PIECE = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{L}]+|\p{N}+/gu;
const MAX_PIECES = 12;

/** What else a word of code is found by: its pieces and its ends. Empty for a plain word. */
export const piecesOf = (word: string): readonly string[] => {
  const bare = word.replace(/[+#]+$/, '');
  const pieces = [...bare.matchAll(PIECE)].map(([piece]) => fold(piece)).filter((piece) => piece !== '');
  const isPlain = pieces.length < 2;
  if (isPlain) return bare === word ? [] : [fold(bare)].filter((piece) => piece !== '');
  if (pieces.length > MAX_PIECES) return [...new Set(pieces)];
  const ends = pieces.slice(1, -1).map((_, at) => pieces.slice(at + 1).join(''));
  return [...new Set([...pieces, ...ends, ...(bare === word ? [] : [fold(bare)])])];
};

/** Terms of a text as an index takes them: words in order for phrases, and what else they are found by. */
export const termsOf = (
  text: string,
): { readonly words: readonly string[]; readonly pieces: readonly string[] } => {
  const words: string[] = [];
  const pieces = new Set<string>();
  for (const { term, start, end } of wordsOf(text)) {
    words.push(term);
    for (const piece of piecesOf(text.slice(start, end))) if (piece !== term) pieces.add(piece);
  }
  return { words, pieces: [...pieces] };
};

/**
 * Text that a terminal may be given. Titles, paths, model text and file content are written by others: a
 * control character in them could move the cursor, set the clipboard or fake a prompt (TRAPS). Every string
 * becomes harmless here, and the output takes nothing but what this file made.
 */
const brand: unique symbol = Symbol('printable');

export interface Printable {
  readonly [brand]: true;
  readonly text: string;
  /** Columns of its longest line. */
  readonly width: number;
}

const LF = 0x0a;
const TAB = 0x09;
const DELETE = 0x7f;

/**
 * Control characters become visible pictures (ESC is shown as ␛), one by one, so that a sequence cut in two by
 * streaming is as harmless as a whole one. Line feeds and tabs stay; CRLF becomes LF. Marks that reorder the
 * text around them are named.
 */
export const harmless = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (mark) =>
      visible(mark.charCodeAt(0)),
    );

/** The same for one line: line feeds and tabs are shown too. */
export const harmlessLine = (text: string): string =>
  harmless(text).replaceAll('\n', '\u240a').replaceAll('\t', '\u2409');

/** One line of somebody else's text. */
export const words = (text: string): Printable => make(harmlessLine(text));

/** Several lines of somebody else's text. */
export const block = (text: string): Printable => make(harmless(text));

/** A template whose values are made harmless lines; a value that is printable already stays as it is. */
export const line = (
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Printable)[]
): Printable => {
  const pieces = values.map((value) => (isPrintable(value) ? value : words(String(value))));
  let text = '';
  for (const [index, part] of parts.entries()) text += part + (pieces[index]?.text ?? '');
  return { [brand]: true, text, width: widthOf(stripStyle(text)) };
};

export const joined = (pieces: readonly Printable[], separator: string): Printable =>
  make(pieces.map(({ text }) => text).join(separator));

/** `code` and `reset` are SGR numbers of ours. */
export const styled = (piece: Printable, code: number, reset: number): Printable => ({
  [brand]: true,
  text: `\u001b[${code}m${piece.text}\u001b[${reset}m`,
  width: piece.width,
});

const make = (text: string): Printable => ({ [brand]: true, text, width: widthOf(stripStyle(text)) });

const isPrintable = (value: string | number | Printable): value is Printable => typeof value === 'object';

const visible = (code: number): string => {
  if (code === LF || code === TAB) return String.fromCharCode(code);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === DELETE) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
};

// Only styles of ours are left at this point.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape that starts a style
const stripStyle = (text: string): string => text.replace(/\u001b\[\d+m/g, '');

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NONE = /^(?:\p{M}|[\u200b-\u200f\u2060])$/u;

/** Columns that a terminal gives the longest line; East Asian wide characters and emoji count two. */
const widthOf = (text: string): number =>
  Math.max(...text.split('\n').map((part) => [...part].reduce((sum, point) => sum + columnsOf(point), 0)));

const columnsOf = (point: string): number => {
  if (NONE.test(point)) return 0;
  return WIDE.test(point) ? 2 : 1;
};

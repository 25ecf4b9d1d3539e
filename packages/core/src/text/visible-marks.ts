/**
 * Text of others in a place where somebody decides by it: a command, a path, a title. Marks that reorder the text
 * around them, or cannot be seen, could show another command than the one that runs (U+202E and its kind).
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const MARKS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Each such mark as `[U+202E]`; line feeds and tabs stay, and so does everything else. */
export const visibleMarks = (text: string): string =>
  text.replace(MARKS, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);

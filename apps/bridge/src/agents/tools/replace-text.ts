/**
 * Exact replacement in a text. Line ends may differ between what the model says and what the file has; every
 * byte outside the replaced places stays as it is, and the new text gets the line ends of the old one.
 */
export interface TextEdit {
  readonly old: string;
  readonly new: string;
  readonly all: boolean;
}

export type Replacement =
  | { readonly kind: 'replaced'; readonly text: string; readonly count: number }
  | { readonly kind: 'impossible'; readonly reason: string };

export const replaceText = (text: string, edit: TextEdit): Replacement => {
  if (edit.old === '') return impossible('old_string is empty. Use write for a new file.');
  if (edit.old === edit.new) return impossible('old_string and new_string are the same.');
  const pattern = new RegExp(edit.old.split(/\r?\n/).map(escapeRegex).join('\\r?\\n'), 'gu');
  const matches = [...text.matchAll(pattern)];
  if (matches.length === 0) {
    return impossible('old_string was not found. It must match the file exactly, white space included.');
  }
  if (matches.length > 1 && !edit.all) {
    return impossible(
      `old_string was found ${matches.length} times. Add lines around it until it is unique, or set replace_all.`,
    );
  }
  const fileEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
  let result = '';
  let from = 0;
  for (const match of matches) {
    const end = /\r?\n/.exec(match[0])?.[0] ?? fileEnd;
    result += text.slice(from, match.index) + edit.new.replace(/\r?\n/g, () => end);
    from = match.index + match[0].length;
  }
  return { kind: 'replaced', text: result + text.slice(from), count: matches.length };
};

const impossible = (reason: string): Replacement => ({ kind: 'impossible', reason });

/** `RegExp.escape` came with Node 24. */
const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

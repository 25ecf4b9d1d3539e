/** Finding and completing `@path` in a text. Pure. */
export interface MentionToken {
  /** Index of the `@`. */
  readonly start: number;
  /** What is typed after it, up to the caret. */
  readonly query: string;
}

/** The mention that is being typed at the caret, or null. An address like `a@b` is none. */
export const mentionAt = (text: string, caret: number): MentionToken | null => {
  const match = /(?:^|[\s([{"'`])@([^\s@]{0,200})$/.exec(text.slice(Math.max(0, caret - 220), caret));
  const query = match?.[1];
  return query === undefined ? null : { start: caret - query.length - 1, query };
};

/** The text with the mention completed, and where the caret goes. */
export const completeMention = (
  text: string,
  token: MentionToken,
  path: string,
): { readonly text: string; readonly caret: number } => {
  const end = token.start + 1 + token.query.length;
  const rest = text.slice(end);
  const inserted = `@${path}${rest.startsWith(' ') ? '' : ' '}`;
  return { text: text.slice(0, token.start) + inserted + rest, caret: token.start + path.length + 2 };
};

/** Which of the chosen paths the text still names. */
export const mentionsIn = (text: string, chosen: Iterable<string>): readonly string[] =>
  [...new Set(chosen)].filter((path) => text.includes(`@${path}`));

/** Finding, completing and removing `@path` in a text. Pure. */
export interface MentionToken {
  /** Index of the `@`. */
  readonly start: number;
  /** What is typed after it, up to the caret. */
  readonly query: string;
}

const LONGEST_QUERY = 200;
const MENTION_BEFORE_CARET = /(?:^|[\s([{"'`])@([^\s@]{0,200})$/;

/** The mention that is being typed at the caret, or null. An address like `a@b` is none. */
export const mentionAt = (text: string, caret: number): MentionToken | null => {
  // Two more: the `@`, and the character before it, which decides whether it is one.
  const from = Math.max(0, caret - LONGEST_QUERY - 2);
  const query = MENTION_BEFORE_CARET.exec(text.slice(from, caret))?.[1];
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

/** Which of the chosen paths the text still names, in the order they were chosen. */
export const mentionsIn = (text: string, chosen: Iterable<string>): readonly string[] =>
  [...new Set(chosen)].filter((path) => nextMention(text, path, 0) !== -1);

/** The text without any mention of this path; of the spaces around one, a single one stays. */
export const removeMention = (text: string, path: string): string => {
  let rest = text;
  for (let at = nextMention(rest, path, 0); at !== -1; at = nextMention(rest, path, at)) {
    const end = at + 1 + path.length;
    rest = rest.slice(0, at) + rest.slice(rest[end] === ' ' ? end + 1 : end);
  }
  return rest;
};

const MAX_LOOKED_UP = 10;

/** What looks like a mention in a draft from before, without the punctuation after it. */
export const pathsNamedIn = (text: string): readonly string[] => {
  const paths = new Set<string>();
  for (const [, word = ''] of text.slice(0, 100_000).matchAll(/(?:^|[\s([{"'`])@([^\s@]{1,200})/g)) {
    const path = word.replace(/[)\]}"'`,;:!?.]+$/, '');
    if (path !== '') paths.add(path);
    if (paths.size === MAX_LOOKED_UP) break;
  }
  return [...paths];
};

/** `@src/a.ts` is not named by `@src/a.tsx`, and a full stop after it is the sentence's. */
function nextMention(text: string, path: string, from: number): number {
  for (let at = text.indexOf(`@${path}`, from); at !== -1; at = text.indexOf(`@${path}`, at + 1)) {
    const isStart = at === 0 || /[\s([{"'`]/.test(text[at - 1] ?? '');
    const after = text.slice(at + 1 + path.length, at + 3 + path.length);
    if (isStart && (/^$|^[\s)\]}"'`,;:!?]/.test(after) || /^\.(\s|$)/.test(after))) return at;
  }
  return -1;
}

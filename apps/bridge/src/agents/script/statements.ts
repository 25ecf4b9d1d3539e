/**
 * The script language: one statement a line (docs/script-language.md). Pure: text in, statements out. A line
 * whose first word is unknown, or whose rest does not fit, is said as it stands, so that plain words work.
 */
export type Statement =
  | { readonly kind: 'say' | 'think' | 'fail'; readonly text: string }
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'crash'; readonly point: string }
  | { readonly kind: 'call'; readonly tool: string; readonly input: unknown };

export const parseScript = (script: string): readonly Statement[] =>
  script
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(parseLine);

const parseLine = (line: string): Statement => {
  const [, word = '', rest = ''] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
  const parse = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  return parse?.(rest) ?? { kind: 'say', text: line };
};

const call = (tool: string, input: unknown): Statement => ({ kind: 'call', tool, input });

/** By first word. Null: the rest does not fit. */
const WORDS: Readonly<Record<string, (rest: string) => Statement | null>> = {
  say: (rest) => ({ kind: 'say', text: textOf(rest) }),
  think: (rest) => ({ kind: 'think', text: textOf(rest) }),
  fail: (rest) => ({ kind: 'fail', text: textOf(rest) }),
  write: (rest) => {
    const { path, after } = takePath(rest);
    if (path === '') return null;
    const quoted = wholeString(after);
    return call('write', { path, content: quoted ?? `${after}\n` });
  },
  edit: parseEdit,
  rm: (rest) => onlyPath(rest, 'delete'),
  read: (rest) => onlyPath(rest, 'read'),
  sh: parseShell,
  ask: (rest) => (/^\S+$/.test(rest) ? call('ask', { tool: rest }) : null),
  task: (rest) => (rest === '' ? null : call('task', { prompt: textOf(rest) })),
  sleep: (rest) => (/^\d{1,7}$/.test(rest) ? { kind: 'sleep', ms: Number(rest) } : null),
  crash: (rest) => (/^\S+$/.test(rest) ? { kind: 'crash', point: rest } : null),
  tool: (rest) => {
    const [, name = '', json = ''] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
    // What is no JSON goes to the tool as a model might send it.
    return name === '' ? null : call(name, json === '' ? {} : (parseJson(json) ?? json));
  },
};

function parseEdit(rest: string): Statement | null {
  const { path, after } = takePath(rest);
  const quoted = takeString(after);
  const arrow = quoted === null ? after.search(/ =>( |$)/) : 0;
  if (path === '' || arrow === -1) return null;
  const old = quoted?.text ?? after.slice(0, arrow);
  const match = /^\s*=>\s*(.*)$/s.exec(quoted?.after ?? after.slice(arrow));
  if (match === null) return null;
  return call('edit', { path, old_string: old, new_string: textOf(match[1] ?? '') });
}

function parseShell(rest: string): Statement | null {
  const [, paths, after = ''] = /^--paths\s+(\S+)\s+(.*)$/s.exec(rest) ?? [null, null, rest];
  if (after === '') return null;
  const checkpoint = paths === null || paths === undefined ? {} : { checkpoint_paths: paths.split(',') };
  return call('bash', { command: textOf(after), ...checkpoint });
}

const onlyPath = (rest: string, tool: string): Statement | null => {
  const { path, after } = takePath(rest);
  return path === '' || after !== '' ? null : call(tool, { path });
};

/** A path without spaces, or a JSON string, and what follows it. */
const takePath = (rest: string): { path: string; after: string } => {
  const quoted = takeString(rest);
  if (quoted !== null) return { path: quoted.text, after: quoted.after.trim() };
  const [, path = '', after = ''] = /^(\S+)\s*(.*)$/s.exec(rest) ?? [];
  return { path, after };
};

/** A JSON string at the start, and what follows it. */
const takeString = (text: string): { text: string; after: string } | null => {
  const literal = /^"(?:[^"\\]|\\.)*"/s.exec(text)?.[0];
  const value = literal === undefined ? null : parseJson(literal);
  return literal !== undefined && typeof value === 'string'
    ? { text: value, after: text.slice(literal.length) }
    : null;
};

/** The text when it is one JSON string as a whole. */
const wholeString = (text: string): string | null => {
  const string = takeString(text);
  return string !== null && string.after.trim() === '' ? string.text : null;
};

const textOf = (rest: string): string => wholeString(rest) ?? rest;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

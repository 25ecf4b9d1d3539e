/**
 * The same numbers as the readers give, counted the plain way and without any of their code: a second opinion on what
 * the formats say. Slow, whole files in memory, no care for anything but the count.
 */
export interface PlainCounts {
  readonly prompts: number;
  readonly calls: number;
  readonly results: number;
  readonly output: number;
  /** Every line's number added up, as a careless reader would. */
  readonly naiveOutput: number;
}

type Line = Readonly<Record<string, unknown>>;

const isLine = (value: unknown): value is Line => typeof value === 'object' && value !== null;

const tryParse = (line: string): Line[] | null => {
  try {
    const value: unknown = JSON.parse(line);
    return isLine(value) ? [value] : [];
  } catch {
    return null;
  }
};

const linesOf = (text: string): Line[] =>
  text
    .replace('\uFEFF', '')
    .split('\n')
    .flatMap(
      (line) =>
        tryParse(line) ??
        line
          .replaceAll(/\}\s*\{"/g, '}\n{"')
          .split('\n')
          .flatMap((one) => tryParse(one) ?? []),
    );

/** `get(line, 'message.usage.output_tokens')` */
const get = (line: Line, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isLine(value) ? value[name] : undefined), line);
const number = (line: Line, path: string): number => Number(get(line, path) ?? 0);
const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);

const blocks = (content: unknown): Line[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isLine) : [];
};

const ofType = (lines: readonly Line[], type: string): number =>
  lines.filter((one) => one['type'] === type).length;

const NOT_SAID =
  /^\s*(\[Request interrupted|<local-command|<bash-std|<system-reminder|<task-notification|Caveat: The messages below)/;

const isSaid = ({ type, text }: Line): boolean =>
  type === 'image' || (type === 'text' && String(text).trim() !== '' && !NOT_SAID.test(String(text)));

export const countClaude = (text: string): PlainCounts => {
  const lines = new Map<string, Line>();
  for (const [index, line] of linesOf(text).entries()) {
    const key = String(line['uuid'] ?? `line ${index}`);
    if (/^(user|assistant)$/.test(String(line['type'])) && isLine(line['message']) && !lines.has(key))
      lines.set(key, line);
  }
  const [users, answers] = ['user', 'assistant'].map((type) =>
    [...lines.values()].filter((line) => line['type'] === type),
  );
  const said = (all: readonly Line[] = []) => all.flatMap((line) => blocks(get(line, 'message.content')));
  const output = new Map<unknown, number>();
  for (const line of answers ?? []) {
    const key = get(line, 'message.id') ?? line['uuid'];
    output.set(key, Math.max(output.get(key) ?? 0, number(line, 'message.usage.output_tokens')));
  }
  const prompts = (users ?? []).filter((line) => {
    const parts = blocks(get(line, 'message.content'));
    if (line['isMeta'] === true || line['isCompactSummary'] === true) return false;
    return ofType(parts, 'tool_result') === 0 && parts.some(isSaid);
  });
  return {
    prompts: prompts.length,
    calls: ofType(said(answers), 'tool_use'),
    results: ofType(said(users), 'tool_result'),
    output: sum(output.values()),
    naiveOutput: sum((answers ?? []).map((line) => number(line, 'message.usage.output_tokens'))),
  };
};

export const countCodex = (text: string): PlainCounts => {
  const payloads = (type: string): Line[] =>
    linesOf(text).flatMap((line) =>
      line['type'] === type && isLine(line['payload']) ? [line['payload']] : [],
    );
  const [items, events] = [payloads('response_item'), payloads('event_msg')];
  const tokens = events.filter(
    (event) => event['type'] === 'token_count' && isLine(get(event, 'info.total_token_usage')),
  );
  const kinds = (pattern: RegExp) => items.filter(({ type }) => pattern.test(String(type))).length;
  return {
    prompts: ofType(events, 'user_message'),
    calls: kinds(/_call$/),
    results: kinds(/_output$/),
    output: number(tokens.at(-1) ?? {}, 'info.total_token_usage.output_tokens'),
    naiveOutput: sum(tokens.map((event) => number(event, 'info.last_token_usage.output_tokens'))),
  };
};

export const countPi = (text: string): PlainCounts => {
  const ids = new Set<unknown>();
  const messages = linesOf(text).flatMap(({ type, id, message }) => {
    if (type !== 'message' || !isLine(message) || (id !== undefined && ids.has(id))) return [];
    ids.add(id);
    return [message];
  });
  const of = (role: string): Line[] => messages.filter((message) => message['role'] === role);
  const output = sum(of('assistant').map((message) => number(message, 'usage.output')));
  return {
    prompts: of('user').length,
    calls: ofType(
      of('assistant').flatMap(({ content }) => blocks(content)),
      'toolCall',
    ),
    results: of('toolResult').length,
    output,
    naiveOutput: output,
  };
};

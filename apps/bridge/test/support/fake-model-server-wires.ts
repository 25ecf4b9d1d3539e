/** The streams of the four wire formats, as arrays of server-sent events, made from one answer. */
export interface FakeAnswer {
  readonly thinking?: { readonly text: string; readonly signature?: string } | undefined;
  readonly text?: string | undefined;
  /** `input` as a string is sent as it is, malformed JSON included. `signature`: Gemini's, on the call. */
  readonly calls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
    readonly signature?: string;
  }[];
  /** `none`: the stream ends without saying why. */
  readonly stop?: 'end' | 'length' | 'filter' | 'none' | undefined;
  readonly usage?:
    | { readonly input: number; readonly output: number; readonly cacheRead?: number }
    | 'missing'
    | undefined;
}

export type Wire = 'anthropic' | 'chat' | 'responses' | 'google';

const USAGE = { input: 100, output: 20, cacheRead: 0 };

export const eventsOf = (wire: Wire, answer: FakeAnswer): readonly string[] => {
  switch (wire) {
    case 'anthropic':
      return anthropic(answer).map(
        ({ type, ...rest }) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`,
      );
    case 'chat':
      return [...chat(answer).map(data), 'data: [DONE]\n\n'];
    case 'responses':
      return responses(answer).map(data);
    case 'google':
      return google(answer).map(data);
  }
};

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const rawInput = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input));
const halves = (text: string): readonly string[] => {
  const points = [...text];
  const middle = Math.ceil(points.length / 2);
  return [points.slice(0, middle).join(''), points.slice(middle).join('')].filter((half) => half !== '');
};
const usageIn = ({ usage }: FakeAnswer): typeof USAGE | null =>
  usage === 'missing' ? null : { ...USAGE, ...usage };

type AnthropicEvent = { readonly type: string; readonly [name: string]: unknown };

/** Anthropic Messages API, streaming. */
const anthropic = (answer: FakeAnswer): readonly AnthropicEvent[] => {
  const usage = usageIn(answer);
  const calls = answer.calls ?? [];
  const blocks: AnthropicEvent[][] = [];
  const add = (content_block: object, deltas: readonly object[]): void => {
    const index = blocks.length;
    blocks.push([
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]);
  };
  if (answer.thinking !== undefined) {
    const { text, signature = 'c2lnbmF0dXJl' } = answer.thinking;
    add({ type: 'thinking', thinking: '', signature: '' }, [
      ...halves(text).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature },
    ]);
  }
  if (answer.text !== undefined) {
    add(
      { type: 'text', text: '' },
      halves(answer.text).map((text) => ({ type: 'text_delta', text })),
    );
  }
  for (const { id, name, input } of calls) {
    add(
      { type: 'tool_use', id, name, input: {} },
      halves(rawInput(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    );
  }
  const stop = {
    end: calls.length > 0 ? 'tool_use' : 'end_turn',
    length: 'max_tokens',
    filter: 'refusal',
    none: null,
  };
  const start = {
    input_tokens: usage?.input ?? 0,
    output_tokens: 1,
    cache_read_input_tokens: usage?.cacheRead ?? 0,
  };
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'fake',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: start,
  };
  const end: AnthropicEvent[] = [
    {
      type: 'message_delta',
      delta: { stop_reason: stop[answer.stop ?? 'end'], stop_sequence: null },
      usage: { output_tokens: usage?.output ?? 0 },
    },
    { type: 'message_stop' },
  ];
  return [
    { type: 'message_start', message },
    { type: 'ping' },
    ...blocks.flat(),
    ...(answer.stop === 'none' ? [] : end),
  ];
};

/** OpenAI chat completions, streaming; thinking as `reasoning_content`, as many local servers do. */
const chat = (answer: FakeAnswer): readonly unknown[] => {
  const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'fake' };
  const chunk = (delta: object, finish_reason: string | null = null): unknown => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const calls = answer.calls ?? [];
  const stop = { end: calls.length > 0 ? 'tool_calls' : 'stop', length: 'length', filter: 'content_filter' };
  const usage = usageIn(answer);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...halves(answer.thinking?.text ?? '').map((reasoning_content) => chunk({ reasoning_content })),
    ...halves(answer.text ?? '').map((content) => chunk({ content })),
    ...calls.flatMap(({ id, name, input }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...halves(rawInput(input)).map((part) =>
        chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
      ),
    ]),
    ...(answer.stop === 'none' ? [] : [chunk({}, stop[answer.stop ?? 'end'])]),
    ...(usage === null
      ? []
      : [
          {
            ...base,
            choices: [],
            usage: {
              prompt_tokens: usage.input,
              completion_tokens: usage.output,
              total_tokens: usage.input + usage.output,
              prompt_tokens_details: { cached_tokens: usage.cacheRead },
            },
          },
        ]),
  ];
};

/** OpenAI Responses API, streaming. */
const responses = (answer: FakeAnswer): readonly unknown[] => {
  const usage = usageIn(answer);
  const items: unknown[] = [];
  let output_index = 0;
  const item = (
    value: { id: string; [name: string]: unknown },
    deltas: (at: object) => readonly unknown[],
    done: object = {},
  ): void => {
    items.push({ type: 'response.output_item.added', output_index, item: value });
    items.push(...deltas({ item_id: value.id, output_index }));
    items.push({ type: 'response.output_item.done', output_index, item: { ...value, ...done } });
    output_index += 1;
  };
  if (answer.thinking !== undefined) {
    const { text, signature = 'encrypted' } = answer.thinking;
    item(
      { type: 'reasoning', id: 'rs_1', encrypted_content: null, summary: [] },
      (at) => [
        { type: 'response.reasoning_summary_part.added', ...at, summary_index: 0 },
        ...halves(text).map((delta) => ({
          type: 'response.reasoning_summary_text.delta',
          ...at,
          summary_index: 0,
          delta,
        })),
        { type: 'response.reasoning_summary_part.done', ...at, summary_index: 0 },
      ],
      { encrypted_content: signature },
    );
  }
  if (answer.text !== undefined) {
    item({ type: 'message', id: 'msg_1', role: 'assistant', content: [] }, (at) =>
      halves(answer.text ?? '').map((delta) => ({
        type: 'response.output_text.delta',
        ...at,
        content_index: 0,
        delta,
      })),
    );
  }
  for (const [n, { id, name, input }] of (answer.calls ?? []).entries()) {
    const text = rawInput(input);
    item(
      { type: 'function_call', id: `fc_${n}`, call_id: id, name, arguments: '' },
      (at) => halves(text).map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      { arguments: text, status: 'completed' },
    );
  }
  const incomplete = { length: 'max_output_tokens', filter: 'content_filter' };
  const reason = answer.stop === 'length' || answer.stop === 'filter' ? incomplete[answer.stop] : null;
  const end = {
    type: reason === null ? 'response.completed' : 'response.incomplete',
    response: {
      incomplete_details: reason === null ? null : { reason },
      usage:
        usage === null
          ? null
          : {
              input_tokens: usage.input,
              output_tokens: usage.output,
              input_tokens_details: { cached_tokens: usage.cacheRead },
            },
    },
  };
  const created = { type: 'response.created', response: { id: 'resp_1', created_at: 1, model: 'fake' } };
  return [created, ...items, ...(answer.stop === 'none' ? [] : [end])];
};

/** Gemini `streamGenerateContent`, `alt=sse`. */
const google = (answer: FakeAnswer): readonly unknown[] => {
  const parts: object[] = [];
  if (answer.thinking !== undefined) {
    const { text, signature } = answer.thinking;
    parts.push(...halves(text).map((half) => ({ text: half, thought: true })));
    if (signature !== undefined) parts.push({ text: '', thought: true, thoughtSignature: signature });
  }
  parts.push(...halves(answer.text ?? '').map((text) => ({ text })));
  for (const { name, input, signature } of answer.calls ?? []) {
    parts.push({
      functionCall: { name, args: input },
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    });
  }
  const stop = { end: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' };
  const usage = usageIn(answer);
  const chunk = (part: object): unknown => ({ candidates: [{ content: { role: 'model', parts: [part] } }] });
  const usageMetadata =
    usage === null
      ? {}
      : {
          usageMetadata: {
            promptTokenCount: usage.input,
            candidatesTokenCount: usage.output,
            totalTokenCount: usage.input + usage.output,
            cachedContentTokenCount: usage.cacheRead,
          },
        };
  const end =
    answer.stop === 'none'
      ? []
      : [
          {
            candidates: [{ content: { role: 'model', parts: [] }, finishReason: stop[answer.stop ?? 'end'] }],
            ...usageMetadata,
          },
        ];
  return [...parts.map(chunk), ...end];
};

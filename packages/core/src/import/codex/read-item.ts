/** What the model was given and gave: messages, calls of tools and what came back. */
import type { Part } from '../../record/parts.ts';
import { push, pushPrompt } from '../chain.ts';
import { type JsonObject, joinedText, numberOf, objectOf, objectsOf, shownText, textOf } from '../json.ts';
import { type CodexState, keyOf, wasSaid } from './state.ts';
import { exitCodeIn, isInjected, type ToolOutput } from './words.ts';

export interface Item {
  readonly object: JsonObject;
  readonly at: string | null;
  readonly line: number;
}

/** False when the kind is not known. */
export const readItem = (state: CodexState, item: Item): boolean => {
  switch (item.object['type']) {
    case 'message':
      readMessage(state, item);
      return true;
    case 'reasoning':
      readThinking(state, item, { from: 'item', text: thinkingIn(item.object) });
      return true;
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'web_search_call':
    case 'tool_search_call':
    case 'tool_call':
      readCall(state, item);
      return true;
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'tool_search_output':
    case 'function_result':
    case 'tool_result':
      readOutput(state, item);
      return true;
    case 'compaction':
    case 'ghost_snapshot':
      return true;
    default:
      return false;
  }
};

function readMessage(state: CodexState, item: Item): void {
  const { object } = item;
  const content = object['content'] ?? object['message'];
  const text = joinedText(content) ?? '';
  if (object['role'] === 'assistant') {
    readAnswer(state, item, { from: 'item', text });
    return;
  }
  const images = objectsOf(content).flatMap((block) => imageOf(block) ?? []);
  if (object['role'] !== 'user' || isInjected(text)) readNote(state, item, text);
  else readPrompt(state, item, { from: 'item', text, images });
}

export const readPrompt = (
  state: CodexState,
  item: Item,
  said: { readonly from: 'item' | 'event'; readonly text: string; readonly images: readonly Part[] },
): void => {
  if (said.text.trim() === '' && said.images.length === 0) return;
  if (wasSaid(state, { what: 'prompt', from: said.from, text: said.text })) return;
  const texts: Part[] = said.text === '' ? [] : [{ type: 'text', text: said.text }];
  const key = keyOf(state, { ...item, what: 'prompt', text: said.text });
  const parts = [...texts, ...said.images];
  pushPrompt(state.chain, { key, at: item.at, line: item.line }, { kind: 'message', role: 'user', parts });
};

export const readAnswer = (
  state: CodexState,
  item: Item,
  said: { readonly from: 'item' | 'event'; readonly text: string },
): void => {
  if (said.text === '' || wasSaid(state, { what: 'answer', ...said })) return;
  say(state, item, { what: 'answer', part: { type: 'text', text: said.text }, text: said.text });
};

export const readThinking = (
  state: CodexState,
  item: Item,
  said: { readonly from: 'item' | 'event'; readonly text: string },
): void => {
  if (said.text.trim() === '' || wasSaid(state, { what: 'thinking', ...said })) return;
  say(state, item, { what: 'thinking', part: { type: 'thinking', text: said.text }, text: said.text });
};

function say(
  state: CodexState,
  item: Item,
  said: { readonly what: string; readonly part: Part; readonly text: string },
): void {
  const key = keyOf(state, { ...item, what: said.what, text: said.text });
  push(
    state.chain,
    { key, at: item.at, line: item.line },
    {
      kind: 'message',
      role: 'assistant',
      parts: [said.part],
      ...(state.model === null ? {} : { model: state.model }),
    },
  );
}

function readNote(state: CodexState, item: Item, text: string): void {
  if (text === '') return;
  const key = keyOf(state, { ...item, what: 'note', text });
  push(
    state.chain,
    { key, at: item.at, line: item.line },
    { kind: 'message', role: 'user', by: 'bridge', parts: [{ type: 'note', text }] },
  );
}

function readCall(state: CodexState, item: Item): void {
  const { object } = item;
  const name =
    textOf(object['name']) ??
    textOf(objectOf(object['function'])?.['name']) ??
    String(object['type']).replace(/_call$/, '');
  const told = object['arguments'] ?? object['input'] ?? object['action'] ?? {};
  const call = callOf(object) ?? keyOf(state, { ...item, what: 'call', text: shownText(told) });
  say(state, item, {
    what: `call/${call}`,
    part: { type: 'tool_call', call, name, input: inputOf(told) },
    text: name,
  });
}

const callOf = (object: JsonObject): string | null => textOf(object['call_id']) ?? textOf(object['id']);

/** Arguments are JSON in a string; what is not is kept as the string it is. */
function inputOf(told: unknown): unknown {
  if (typeof told !== 'string') return told;
  const text = textOf(told) ?? '';
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function readOutput(state: CodexState, item: Item): void {
  const { object } = item;
  const output = outputOf(object['output'] ?? object['result'] ?? object['tools']);
  const call = callOf(object) ?? '';
  const isRefused = output.text.includes('rejected by user') && output.text.length < 200;
  const isError = (output.exitCode ?? 0) !== 0 || object['status'] === 'failed';
  const status = isRefused ? 'denied' : output.text === 'aborted' ? 'interrupted' : isError ? 'error' : 'ok';
  const key = keyOf(state, { ...item, what: `output/${call}`, text: output.text });
  push(
    state.chain,
    { key, at: item.at, line: item.line },
    {
      kind: 'message',
      role: 'tool',
      parts: [
        {
          type: 'tool_result',
          call,
          status,
          output: output.text,
          ...(output.exitCode === null ? {} : { exitCode: output.exitCode }),
        },
      ],
    },
  );
}

/** A text, or JSON in a text with the text in it, or an object, or blocks. */
function outputOf(told: unknown): ToolOutput {
  const inner = objectOf(typeof told === 'string' ? inputOf(told) : told);
  const text = textOf(inner?.['output']) ?? textOf(inner?.['content']) ?? textOf(inner?.['stdout']);
  if (inner === null || text === null) {
    const shown = shownText(told);
    return { text: shown, exitCode: exitCodeIn(shown) };
  }
  const code = numberOf(objectOf(inner['metadata'])?.['exit_code']) ?? numberOf(inner['exitCode']);
  return { text, exitCode: code === null ? exitCodeIn(text) : Math.trunc(code) };
}

const thinkingIn = (object: JsonObject): string =>
  joinedText(object['summary']) ?? joinedText(object['content']) ?? '';

/** Only images that lie in the file itself. */
function imageOf(block: JsonObject): Part | null {
  const url = textOf(block['image_url']);
  const found = url === null ? null : /^data:([a-z]+\/[a-z0-9.+-]+);base64,/i.exec(url.slice(0, 100));
  if (url === null || found === null) return null;
  return { type: 'image', mime: found[1] ?? '', data: url.slice(found[0].length) };
}

/** An assistant line of Claude Code: one block of an API message, mostly. */
import type { Part } from '../../record/parts.ts';
import { markTurn, push } from '../chain.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import { placeLine } from './place-line.ts';
import type { ClaudeState } from './state.ts';
import { beyond, largest, usageOf } from './usage.ts';

const STOPS = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool',
  max_tokens: 'length',
  refusal: 'error',
} as const;

interface AssistantLine {
  readonly object: JsonObject;
  readonly line: number;
  readonly key: string;
}

export const readAssistant = (state: ClaudeState, said: AssistantLine): void => {
  const message = objectOf(said.object['message']) ?? {};
  placeLine(state, { ...said, isPrompt: false });
  const parts = partsOf(state, message['content'], said.line);
  const name = textOf(message['model']);
  const model = name === null || name === '<synthetic>' ? null : name;
  const isError = said.object['isApiErrorMessage'] === true;
  const stop = textOf(message['stop_reason']);
  const ended = isError ? 'error' : stop === null ? undefined : STOPS[stop as keyof typeof STOPS];
  const usage = newUsage(state, message, said.key);
  const error = isError ? partsText(parts) : null;
  if (isError) markTurn(state.chain, 'failed', error);
  else if (state.chain.turn?.outcome === 'failed') markTurn(state.chain, null);
  const place = { key: said.key, at: said.object['timestamp'], line: said.line };
  push(state.chain, place, {
    kind: 'message',
    role: 'assistant',
    parts,
    ...(model === null ? {} : { model }),
    ...(usage === null ? {} : { usage }),
    ...(ended === undefined ? {} : { stop: ended }),
    ...(error === null ? {} : { error }),
  });
};

/** Lines of one message repeat its usage, the first ones with an output count that is only a placeholder. */
function newUsage(state: ClaudeState, message: JsonObject, key: string) {
  const told = objectOf(message['usage']);
  if (told === null) return null;
  const id = textOf(message['id']) ?? key;
  const now = usageOf(told);
  const before = state.usage.get(id);
  const more = beyond(before, now);
  if (more !== null) state.usage.set(id, largest(before, now));
  return more;
}

function partsOf({ chain }: ClaudeState, content: unknown, line: number): Part[] {
  const plain = textOf(content);
  if (plain !== null) return [{ type: 'text', text: plain }];
  return objectsOf(content).flatMap((block): Part[] => {
    switch (block['type']) {
      case 'text':
        return [{ type: 'text', text: textOf(block['text']) ?? '' }];
      case 'thinking':
        return [thinkingOf(block)];
      case 'redacted_thinking':
      case 'fallback':
        return [];
      case 'tool_use':
      case 'server_tool_use':
      case 'mcp_tool_use':
        return [
          {
            type: 'tool_call',
            call: textOf(block['id']) ?? '',
            name: textOf(block['name']) ?? '',
            input: block['input'] ?? {},
          },
        ];
      default:
        chain.out.push({ kind: 'unknown', line, type: `block ${String(block['type'])}` });
        return [];
    }
  });
}

const thinkingOf = (block: JsonObject): Part => {
  const [text, signature] = [textOf(block['thinking']) ?? '', textOf(block['signature'])];
  return { type: 'thinking', text, ...(signature === null ? {} : { signature }) };
};

const partsText = (parts: readonly Part[]): string =>
  parts
    .flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
    .join('\n');

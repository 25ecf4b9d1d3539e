/** One message of Gemini CLI, a call and its result in one object, as one record. */
import type { Part, ToolResultStatus } from '../../record/parts.ts';
import type { RecordBody, Usage } from '../../record/schema.ts';
import { countOf, type JsonObject, joinedText, objectOf, objectsOf, shownText, textOf } from '../json.ts';

export type Said =
  | { readonly kind: 'prompt'; readonly body: Extract<RecordBody, { kind: 'message' }> }
  | { readonly kind: 'other'; readonly body: Extract<RecordBody, { kind: 'message' }> };

/** Null when the kind is not known. */
export const saidIn = (message: JsonObject): Said | null => {
  const text = joinedText(message['displayContent']) ?? joinedText(message['content']) ?? '';
  switch (message['type']) {
    case 'user':
      return text.trim() === '' ? note(text) : prompt(text);
    case 'gemini':
      return { kind: 'other', body: answer(message, joinedText(message['content']) ?? '') };
    case 'info':
    case 'warning':
    case 'error':
      return note(text);
    default:
      return null;
  }
};

const prompt = (text: string): Said => ({
  kind: 'prompt',
  body: { kind: 'message', role: 'user', parts: [{ type: 'text', text }] },
});

const note = (text: string): Said => ({
  kind: 'other',
  body: { kind: 'message', role: 'user', by: 'bridge', parts: [{ type: 'note', text }] },
});

function answer(message: JsonObject, text: string): Extract<RecordBody, { kind: 'message' }> {
  const model = textOf(message['model']);
  const tokens = objectOf(message['tokens']);
  const thoughts = objectsOf(message['thoughts']).flatMap((thought): Part[] => {
    const words = [textOf(thought['subject']), textOf(thought['description'])].filter((one) => one !== null);
    return words.length === 0 ? [] : [{ type: 'thinking', text: words.join('\n') }];
  });
  const texts: Part[] = text === '' ? [] : [{ type: 'text', text }];
  const calls = objectsOf(message['toolCalls']).flatMap(callParts);
  return {
    kind: 'message',
    role: 'assistant',
    parts: [...thoughts, ...texts, ...calls],
    ...(model === null ? {} : { model }),
    ...(tokens === null ? {} : { usage: usageOf(tokens) }),
  };
}

/** Thoughts are counted beside the output there, as a part of it here. */
const usageOf = (tokens: JsonObject): Usage => {
  const reasoning = countOf(tokens['thoughts']);
  return {
    input: countOf(tokens['input']),
    output: countOf(tokens['output']) + reasoning,
    cacheRead: countOf(tokens['cached']),
    reasoning,
  };
};

const STATUS: Readonly<Record<string, ToolResultStatus>> = {
  success: 'ok',
  error: 'error',
  cancelled: 'interrupted',
};

function callParts(told: JsonObject): Part[] {
  const call = textOf(told['id']) ?? '';
  const name = textOf(told['name']) ?? '';
  const made: Part = { type: 'tool_call', call, name, input: told['args'] ?? {} };
  const status = STATUS[textOf(told['status']) ?? ''];
  if (status === undefined && told['result'] === undefined) return [made];
  return [made, { type: 'tool_result', call, status: status ?? 'ok', output: outputOf(told) }];
}

const outputOf = (told: JsonObject): string => {
  const responses = objectsOf(told['result']).flatMap((one) => {
    const response = objectOf(objectOf(one['functionResponse'])?.['response']);
    return response === null ? [] : [shownText(response['output'] ?? response['error'] ?? response)];
  });
  if (responses.length > 0) return responses.join('\n');
  return told['result'] === undefined ? shownText(told['resultDisplay']) : shownText(told['result']);
};

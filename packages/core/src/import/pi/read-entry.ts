/** Entries of a session of Pi. */
import type { Part } from '../../record/parts.ts';
import type { RecordBody, Usage } from '../../record/schema.ts';
import { markTurn, type Place, push, pushPrompt } from '../chain.ts';
import { addChange } from '../changes.ts';
import { countOf, type JsonObject, joinedText, numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import type { PiState } from './state.ts';

interface Entry {
  readonly object: JsonObject;
  readonly line: number;
  readonly key: string;
}

/** False when the kind is not known. */
export const readEntry = (state: PiState, { object, line, key }: Entry): boolean => {
  const { chain } = state;
  const place: Place = { key, at: object['timestamp'], line };
  switch (object['type']) {
    case 'message':
      return readMessage(state, objectOf(object['message']) ?? {}, place);
    case 'compaction':
      push(chain, place, digestOf(state, object));
      return true;
    case 'model_change': {
      const model = [textOf(object['provider']), textOf(object['modelId'])]
        .filter((one) => one !== null)
        .join('/');
      push(chain, place, { kind: 'change', setting: 'model', value: model, by: 'user' });
      return true;
    }
    case 'branch_summary':
      return note(state, place, textOf(object['summary']));
    case 'custom_message':
      return note(state, place, joinedText(object['content']));
    case 'session_info': {
      const title = textOf(object['name']);
      if (title !== null) chain.out.push({ kind: 'facts', facts: { title } });
      return true;
    }
    case 'thinking_level_change':
    case 'label':
    case 'custom':
      return true;
    default:
      return false;
  }
};

function readMessage(state: PiState, message: JsonObject, place: Place): boolean {
  const { chain } = state;
  switch (message['role']) {
    case 'user':
      pushPrompt(chain, place, { kind: 'message', role: 'user', parts: partsOf(message['content']) });
      return true;
    case 'assistant':
      readAssistant(state, message, place);
      return true;
    case 'toolResult':
      push(chain, place, { kind: 'message', role: 'tool', parts: resultParts(message) });
      readChange(state, message);
      return true;
    case 'bashExecution':
      return note(state, place, `! ${textOf(message['command']) ?? ''}\n${textOf(message['output']) ?? ''}`);
    case 'compactionSummary':
      push(chain, place, digestOf(state, message));
      return true;
    case 'branchSummary':
      return note(state, place, textOf(message['summary']));
    case 'custom':
    case 'hookMessage':
      return note(state, place, joinedText(message['content']));
    default:
      return false;
  }
}

function note({ chain }: PiState, place: Place, text: string | null): true {
  if (text !== null && text !== '')
    push(chain, place, { kind: 'message', role: 'user', by: 'bridge', parts: [{ type: 'note', text }] });
  return true;
}

const STOPS = { stop: 'end', length: 'length', toolUse: 'tool', aborted: 'aborted', error: 'error' } as const;

function readAssistant({ chain }: PiState, message: JsonObject, place: Place): void {
  const model = textOf(message['model']);
  const stop = STOPS[textOf(message['stopReason']) as keyof typeof STOPS];
  const error = textOf(message['errorMessage']);
  if (stop === 'aborted') markTurn(chain, 'aborted');
  else markTurn(chain, stop === 'error' ? 'failed' : null, stop === 'error' ? error : null);
  const usage = objectOf(message['usage']);
  const cost = numberOf(objectOf(usage?.['cost'])?.['total']);
  push(chain, place, {
    kind: 'message',
    role: 'assistant',
    parts: partsOf(message['content']),
    ...(model === null ? {} : { model }),
    ...(usage === null ? {} : { usage: usageOf(usage) }),
    ...(cost === null || cost < 0 ? {} : { cost }),
    ...(stop === undefined ? {} : { stop }),
    ...(error === null ? {} : { error }),
  });
}

const usageOf = (told: JsonObject): Usage => {
  const [cacheRead, cacheWrite] = [countOf(told['cacheRead']), countOf(told['cacheWrite'])];
  const input = countOf(told['input']) + cacheRead + cacheWrite;
  return { input, output: countOf(told['output']), cacheRead, cacheWrite };
};

function partsOf(content: unknown): Part[] {
  const plain = textOf(content);
  if (plain !== null) return [{ type: 'text', text: plain }];
  return objectsOf(content).flatMap((block): Part[] => {
    const text = textOf(block['text']) ?? textOf(block['thinking']) ?? '';
    switch (block['type']) {
      case 'text':
        return [{ type: 'text', text }];
      case 'thinking': {
        const signature = textOf(block['thinkingSignature']);
        return [{ type: 'thinking', text, ...(signature === null ? {} : { signature }) }];
      }
      case 'toolCall':
        return [
          {
            type: 'tool_call',
            call: textOf(block['id']) ?? '',
            name: textOf(block['name']) ?? '',
            input: block['arguments'] ?? {},
          },
        ];
      case 'image': {
        const [mime, data] = [textOf(block['mimeType']), textOf(block['data'])];
        return mime === null || data === null ? [] : [{ type: 'image', mime, data }];
      }
      default:
        return [];
    }
  });
}

function resultParts(message: JsonObject): Part[] {
  const images = partsOf(message['content']).filter(({ type }) => type === 'image');
  const result: Part = {
    type: 'tool_result',
    call: textOf(message['toolCallId']) ?? '',
    status: message['isError'] === true ? 'error' : 'ok',
    output: joinedText(message['content']) ?? '',
  };
  return [result, ...images];
}

/** An edit tells its diff, a write nothing but that it was done. */
function readChange({ chain }: PiState, message: JsonObject): void {
  const diff = textOf(objectOf(message['details'])?.['diff']);
  const path = textOf(objectOf(message['details'])?.['path']);
  if (diff === null || path === null || message['isError'] === true) return;
  let [added, removed] = [0, 0];
  for (const line of diff.split('\n')) {
    if (line.startsWith('+')) added += 1;
    else if (line.startsWith('-')) removed += 1;
  }
  addChange(chain, { path, status: 'modified', added, removed });
}

function digestOf(state: PiState, told: JsonObject): RecordBody {
  const first = textOf(told['firstKeptEntryId']);
  const index = numberOf(told['firstKeptEntryIndex']);
  const kept = first === null ? (index === null ? null : state.order[index]) : state.entries.get(first);
  const tokensBefore = numberOf(told['tokensBefore']);
  return {
    kind: 'digest',
    summary: textOf(told['summary']) ?? '',
    keepFrom: kept ?? null,
    trigger: 'auto',
    ...(tokensBefore === null || tokensBefore < 0 ? {} : { tokensBefore }),
  };
}

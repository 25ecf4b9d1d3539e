/** Sessions of Copilot CLI: `session-state/<id>/events.jsonl`. Tokens in full are told at the end only. */
import type { Part } from '../../record/parts.ts';
import { someLine } from '../accepts.ts';
import {
  type Chain,
  closeTurn,
  forkChain,
  markTurn,
  type Place,
  push,
  pushPrompt,
  putHeader,
  startChain,
  take,
  tellFacts,
} from '../chain.ts';
import { countOf, type JsonObject, objectOf, objectsOf, shownText, textOf } from '../json.ts';
import { parseLine } from '../json-lines.ts';
import type { SessionReader } from '../reader.ts';
import { isoOf } from '../times.ts';

export interface CopilotState {
  readonly chain: Chain;
  readonly ids: Set<string>;
  /** Output tokens told message by message since the last whole account, by model. */
  outputs: Map<string, number>;
  reasoning: string;
}

/** Kinds that say nothing of the conversation, or say it again. */
const SILENT =
  /^(hook\.|subagent\.|system\.|skill\.|assistant\.turn_|tool\.execution_(start|progress|partial)|tool\.user_requested|session\.(info|model_change|mode_changed|truncation|auto_mode_resolved|usage_checkpoint|compaction|title|handoff|snapshot|import|plan))/;

export const copilotReader: SessionReader<CopilotState> = {
  agent: 'copilot',
  version: 1,
  unit: 'line',
  accepts: (head, path) =>
    path.endsWith('.jsonl') &&
    someLine(
      head,
      ({ type, data }) =>
        objectOf(data) !== null && /^(session|user|assistant|system)\.[a-z_]+$/.test(String(type)),
      (start) => /"type":\s*"session\.start"/.test(start.slice(0, 200)),
    ),
  start: ({ path }) => ({
    chain: startChain('copilot', path),
    ids: new Set(),
    outputs: new Map(),
    reasoning: '',
  }),
  read(state, text, line) {
    const { objects, bad } = parseLine(text, line);
    for (const object of objects) readEvent(state, object, line);
    if (bad !== null) state.chain.out.push({ kind: 'bad', line, reason: bad });
    return take(state.chain);
  },
  end(state) {
    if (state.chain.header === null) return [];
    const chain = forkChain(state.chain);
    closeTurn(chain, 1);
    chain.out.push({ kind: 'facts', facts: { updatedAt: chain.at } });
    return take(chain);
  },
};

function readEvent(state: CopilotState, object: JsonObject, line: number): void {
  const { chain } = state;
  const [type, id] = [textOf(object['type']) ?? '', textOf(object['id'])];
  const data = objectOf(object['data']) ?? {};
  // A session that was resumed can hold an event again.
  if (id !== null && state.ids.has(`${type}/${id}`)) return;
  if (id !== null) state.ids.add(`${type}/${id}`);
  const key = id ?? `${chain.strand}/${line}`;
  const place: Place = { key: `${type}/${key}`, at: object['timestamp'], line };
  if (type === 'session.start' || type === 'session.resume') {
    readStart(state, data, place);
    return;
  }
  if (readSaid(state, { type, data, place })) return;
  if (!SILENT.test(type))
    chain.out.push({ kind: 'unknown', line, type: type === '' ? 'a line without a type' : type });
}

function readStart({ chain }: CopilotState, data: JsonObject, { at, line }: Place): void {
  const context = objectOf(data['context']) ?? {};
  const [cwd, branch] = [textOf(context['cwd']), textOf(context['branch'])];
  const startedAt = isoOf(data['startTime']) ?? isoOf(at);
  putHeader(chain, { at: startedAt, cwd, branch, line });
  tellFacts(chain, {
    session: chain.told.session ?? textOf(data['sessionId']),
    cwd: chain.told.cwd ?? cwd,
    branch,
    version: textOf(data['copilotVersion']),
    startedAt: chain.told.startedAt ?? startedAt,
  });
}

/** False when the kind is none of these. */
function readSaid(
  state: CopilotState,
  said: { readonly type: string; readonly data: JsonObject; readonly place: Place },
): boolean {
  const { type, data, place } = said;
  const { chain } = state;
  switch (type) {
    case 'user.message': {
      const text = textOf(data['content']) ?? '';
      if (text.trim() === '') return true;
      pushPrompt(chain, place, { kind: 'message', role: 'user', parts: [{ type: 'text', text }] });
      return true;
    }
    case 'assistant.message':
      readAssistant(state, data, place);
      return true;
    case 'assistant.reasoning': {
      const text = textOf(data['content']) ?? '';
      state.reasoning = text;
      if (text !== '')
        push(chain, place, { kind: 'message', role: 'assistant', parts: [{ type: 'thinking', text }] });
      return true;
    }
    case 'tool.execution_complete':
      push(chain, place, { kind: 'message', role: 'tool', parts: [resultOf(data)] });
      return true;
    case 'abort':
      markTurn(chain, 'aborted');
      return true;
    case 'session.error':
      markTurn(chain, 'failed', textOf(data['message']));
      return true;
    case 'session.shutdown':
      readAccount(state, data, place);
      return true;
    default:
      return false;
  }
}

function readAssistant(state: CopilotState, data: JsonObject, place: Place): void {
  const model = textOf(data['model']);
  const [text, reasoning] = [textOf(data['content']) ?? '', textOf(data['reasoningText']) ?? ''];
  const parts: Part[] = [];
  if (reasoning !== '' && reasoning !== state.reasoning) parts.push({ type: 'thinking', text: reasoning });
  if (text !== '') parts.push({ type: 'text', text });
  for (const call of objectsOf(data['toolRequests'])) {
    parts.push({
      type: 'tool_call',
      call: textOf(call['toolCallId']) ?? '',
      name: textOf(call['name']) ?? '',
      input: call['arguments'] ?? {},
    });
  }
  const output = countOf(data['outputTokens']);
  if (output > 0) state.outputs.set(model ?? '', (state.outputs.get(model ?? '') ?? 0) + output);
  push(state.chain, place, {
    kind: 'message',
    role: 'assistant',
    parts,
    ...(model === null ? {} : { model }),
    ...(output === 0 ? {} : { usage: { input: 0, output } }),
  });
}

const resultOf = (data: JsonObject): Part => {
  const result = objectOf(data['result']);
  const error = objectOf(data['error']);
  const output = shownText(result?.['content'] ?? data['result'] ?? error?.['message'] ?? data['error']);
  const status = data['success'] === false ? (error?.['code'] === 'rejected' ? 'denied' : 'error') : 'ok';
  return { type: 'tool_result', call: textOf(data['toolCallId']) ?? '', status, output };
};

/** What every model took, less what its messages told already. */
function readAccount(state: CopilotState, data: JsonObject, place: Place): void {
  for (const [model, told] of Object.entries(objectOf(data['modelMetrics']) ?? {})) {
    const usage = objectOf(objectOf(told)?.['usage']);
    if (usage === null) continue;
    const output = Math.max(0, countOf(usage['outputTokens']) - (state.outputs.get(model) ?? 0));
    push(
      state.chain,
      { ...place, key: `${place.key}/${model}` },
      {
        kind: 'usage',
        model,
        usage: {
          input: countOf(usage['inputTokens']),
          output,
          cacheRead: countOf(usage['cacheReadTokens']),
          cacheWrite: countOf(usage['cacheWriteTokens']),
        },
        source: 'copilot',
      },
    );
  }
  state.outputs = new Map();
}

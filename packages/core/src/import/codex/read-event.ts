/** What Codex told its own display: prompts as they were typed, tokens, ends of turns, patches that were applied. */
import type { Usage } from '../../record/schema.ts';
import { closeTurn, markTurn, push } from '../chain.ts';
import { addChange, countDiffLines, type ToldChange } from '../changes.ts';
import { countOf, type JsonObject, objectOf, textOf } from '../json.ts';
import { type Item, readAnswer, readPrompt, readThinking } from './read-item.ts';
import { type CodexState, keyOf } from './state.ts';

/** Told elsewhere as well, or of no use here. */
const SILENT: ReadonlySet<string> = new Set([
  'task_started',
  'turn_started',
  'mcp_tool_call_begin',
  'mcp_tool_call_end',
  'exec_command_begin',
  'exec_command_end',
  'exec_command_output_delta',
  'web_search_begin',
  'web_search_end',
  'patch_apply_begin',
  'context_compacted',
  'agent_reasoning_section_break',
  'agent_reasoning_raw_content',
  'turn_diff',
  'plan_update',
  'background_event',
  'stream_error',
  'warning',
  'view_image_tool_call',
  'entered_review_mode',
  'exited_review_mode',
  'thread_name_updated',
  'item_completed',
]);

/** False when the kind is not known. */
export const readEvent = (state: CodexState, item: Item): boolean => {
  const { object } = item;
  const text = textOf(object['message']) ?? textOf(object['text']) ?? '';
  switch (object['type']) {
    case 'user_message':
      readPrompt(state, item, { from: 'event', text, images: [] });
      return true;
    case 'agent_message':
      readAnswer(state, item, { from: 'event', text });
      return true;
    case 'agent_reasoning':
      readThinking(state, item, { from: 'event', text });
      return true;
    case 'token_count':
      readTokens(state, item);
      return true;
    case 'task_complete':
    case 'turn_complete':
      closeTurn(state.chain, item.line);
      return true;
    case 'turn_aborted':
      markTurn(state.chain, 'aborted');
      closeTurn(state.chain, item.line);
      return true;
    case 'error':
      markTurn(state.chain, 'failed', text === '' ? textOf(objectOf(object['error'])?.['message']) : text);
      return true;
    case 'patch_apply_end':
      if (object['success'] !== false) readPatch(state, object);
      return true;
    default:
      return SILENT.has(String(object['type']));
  }
};

const KEYS = ['input', 'output', 'cacheRead', 'reasoning'] as const;

/** The total is cumulative and told again and again: what counts is what it grew by. */
function readTokens(state: CodexState, item: Item): void {
  const info = objectOf(item.object['info']);
  const total = usageOf(objectOf(info?.['total_token_usage']));
  if (total === null) return;
  const before = state.total;
  state.total = total;
  const isRestart = before !== null && total.input + total.output < before.input + before.output;
  const from = isRestart ? null : before;
  const usage: Usage = { input: 0, output: 0 };
  for (const key of KEYS) usage[key] = Math.max(0, (total[key] ?? 0) - (from?.[key] ?? 0));
  if (usage.input + usage.output === 0) return;
  const key = keyOf(state, { ...item, what: 'tokens', text: JSON.stringify(total) });
  const place = { key, at: item.at, line: item.line };
  push(state.chain, place, { kind: 'usage', model: state.model ?? '', usage, source: 'codex' });
}

/** Codex counts cached tokens as part of the input and reasoning as part of the output, as records do. */
function usageOf(told: JsonObject | null): Usage | null {
  if (told === null) return null;
  return {
    input: countOf(told['input_tokens']),
    output: countOf(told['output_tokens']),
    cacheRead: countOf(told['cached_input_tokens']),
    reasoning: countOf(told['reasoning_output_tokens']),
  };
}

function readPatch(state: CodexState, object: JsonObject): void {
  for (const [path, told] of Object.entries(objectOf(object['changes']) ?? {})) {
    const change = objectOf(told);
    if (change !== null) addChange(state.chain, changeOf(path, change));
  }
}

const STATUS = { add: 'added', update: 'modified', delete: 'deleted' } as const;

function changeOf(path: string, change: JsonObject): ToldChange {
  const kind =
    textOf(change['type']) ?? Object.keys(STATUS).find((name) => Object.hasOwn(change, name)) ?? 'update';
  const inner = objectOf(change[kind]) ?? change;
  const status = STATUS[kind as keyof typeof STATUS] ?? 'modified';
  const diff = textOf(inner['unified_diff']);
  const content = textOf(inner['content']);
  if (diff !== null) return { path, status, ...countDiffLines(diff.split('\n')) };
  if (content === null) return { path, status, added: null, removed: null };
  const lines = content.split('\n').length - (content.endsWith('\n') ? 1 : 0);
  return status === 'deleted'
    ? { path, status, added: 0, removed: lines }
    : { path, status, added: lines, removed: 0 };
}

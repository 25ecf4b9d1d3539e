/**
 * Rollouts of Codex: `sessions/YYYY/MM/DD/rollout-….jsonl`. Items are what the model saw, events repeat them for display;
 * what is in both is taken once. `compacted` replays what was there before and is not read again.
 */
import { someLine } from '../accepts.ts';
import { closeTurn, forkChain, push, putHeader, take, tellFacts } from '../chain.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import { parseLine } from '../json-lines.ts';
import type { SessionReader } from '../reader.ts';
import { isoOf } from '../times.ts';
import { readEvent } from './read-event.ts';
import { type Item, readItem } from './read-item.ts';
import { type CodexState, keyOf, startCodex } from './state.ts';

const ENVELOPES: ReadonlySet<unknown> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'world_state',
  'inter_agent_communication_metadata',
]);
const BARE: ReadonlySet<unknown> = new Set(['message', 'reasoning', 'function_call', 'function_call_output']);

export const codexReader: SessionReader<CodexState> = {
  agent: 'codex',
  version: 1,
  unit: 'line',
  accepts: (head, path) =>
    path.endsWith('.jsonl') &&
    someLine(
      head,
      (object) =>
        (ENVELOPES.has(object['type']) && objectOf(object['payload']) !== null) ||
        object['record_type'] === 'state' ||
        (Object.hasOwn(object, 'instructions') && Object.hasOwn(object, 'git')) ||
        (/rollout-/.test(path) && (BARE.has(object['type']) || Object.hasOwn(object, 'role'))),
      (start) => /"type":\s*"session_meta"/.test(start.slice(0, 400)),
    ),
  start: ({ path }) => startCodex(path),
  read(state, text, line) {
    const { objects, bad } = parseLine(text, line);
    for (const object of objects) readObject(state, object, line);
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

function readObject(state: CodexState, object: JsonObject, line: number): void {
  if (object['record_type'] !== undefined) return;
  const at = isoOf(object['timestamp']) ?? isoOf(object['created_at']);
  const payload = objectOf(object['payload']);
  if (payload !== null && ENVELOPES.has(object['type'])) {
    if (!readEnveloped(state, { type: object['type'], payload, at, line })) tellUnknown(state, payload, line);
    return;
  }
  if (Object.hasOwn(object, 'instructions') && textOf(object['id']) !== null) {
    readMeta(state, object, line);
    return;
  }
  // The first rollouts have items without an envelope and without a time.
  const item = {
    object: textOf(object['role']) === null ? object : { ...object, type: 'message' },
    at,
    line,
  };
  putHeader(state.chain, { at, cwd: null, line });
  if (!readItem(state, item)) tellUnknown(state, object, line);
}

function tellUnknown(state: CodexState, { type }: JsonObject, line: number): void {
  state.chain.out.push({ kind: 'unknown', line, type: textOf(type) ?? 'a line without a type' });
}

/** False when the kind is not known. */
function readEnveloped(
  state: CodexState,
  told: {
    readonly type: unknown;
    readonly payload: JsonObject;
    readonly at: string | null;
    readonly line: number;
  },
): boolean {
  const { payload, at, line } = told;
  const item: Item = { object: payload, at, line };
  switch (told.type) {
    case 'session_meta':
      readMeta(state, { timestamp: at, ...payload }, line);
      return true;
    case 'turn_context':
      state.model = textOf(payload['model']) ?? state.model;
      putHeader(state.chain, { at, cwd: textOf(payload['cwd']), line });
      tellFacts(state.chain, { cwd: state.chain.told.cwd ?? textOf(payload['cwd']) });
      return true;
    case 'response_item':
      return readItem(state, item);
    case 'event_msg':
      return readEvent(state, item);
    case 'compacted': {
      const summary = textOf(payload['message']) ?? '';
      const key = keyOf(state, { ...item, what: 'compacted', text: summary });
      push(state.chain, { key, at, line }, { kind: 'digest', summary, keepFrom: null, trigger: 'auto' });
      return true;
    }
    default:
      return true;
  }
}

/** Can be repeated; the first one names the session. */
function readMeta(state: CodexState, meta: JsonObject, line: number): void {
  const at = isoOf(meta['timestamp']);
  const git = objectOf(meta['git']);
  const branch = textOf(git?.['branch']);
  putHeader(state.chain, { at, cwd: textOf(meta['cwd']), branch, line });
  const spawned = objectOf(objectOf(objectOf(meta['source'])?.['subagent'])?.['thread_spawn']);
  const parent = textOf(spawned?.['parent_thread_id']);
  state.session ??= textOf(meta['id']);
  const { told } = state.chain;
  tellFacts(state.chain, {
    session: told.session ?? state.session,
    cwd: told.cwd ?? textOf(meta['cwd']),
    branch,
    version: textOf(meta['cli_version']),
    startedAt: told.startedAt ?? at,
    forkOf: told.forkOf ?? textOf(meta['forked_from_id']),
    ...(parent === null || told.parent !== undefined ? {} : { parent: { session: parent, call: null } }),
  });
}

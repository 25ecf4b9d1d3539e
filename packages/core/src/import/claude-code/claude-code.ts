/**
 * Sessions of Claude Code: `projects/<slug>/<session>.jsonl`, sub-agents in files of their own beside them. One line is
 * one record here; a message that lies on several lines becomes several records, its tokens counted once.
 */
import { someLine } from '../accepts.ts';
import { closeTurn, forkChain, moveTip, push, putHeader, take, tellFacts } from '../chain.ts';
import { type JsonObject, numberOf, objectOf, textOf } from '../json.ts';
import { parseLine } from '../json-lines.ts';
import type { SessionReader } from '../reader.ts';
import { isoOf } from '../times.ts';
import { passThrough, placeLine, rememberLine } from './place-line.ts';
import { readAssistant } from './read-assistant.ts';
import { readBoundary, readUser } from './read-user.ts';
import { type ClaudeState, parentStrand, startClaude } from './state.ts';

const TITLE_RANKS = { summary: 1, 'ai-title': 2, 'agent-name': 3, 'custom-title': 4 } as const;
const TITLE_MEMBERS = {
  summary: 'summary',
  'ai-title': 'aiTitle',
  'agent-name': 'agentName',
  'custom-title': 'customTitle',
} as const;
const isTitle = (type: string): type is keyof typeof TITLE_RANKS => Object.hasOwn(TITLE_RANKS, type);

/** Kinds without a place in the conversation. */
const SILENT: ReadonlySet<string> = new Set([
  'file-history-snapshot',
  'file-history-delta',
  'queue-operation',
  'pr-link',
  'last-prompt',
  'permission-mode',
  'mode',
  'worktree-state',
  'relocated',
  'bridge-session',
  'frame-link',
  'started',
  'result',
  'atis-latch',
]);

const KNOWN: ReadonlySet<string> = new Set([
  'user',
  'assistant',
  'system',
  'progress',
  'attachment',
  ...Object.keys(TITLE_RANKS),
  ...SILENT,
]);

export const claudeCodeReader: SessionReader<ClaudeState> = {
  agent: 'claude-code',
  version: 1,
  unit: 'line',
  accepts: (head, path) =>
    path.endsWith('.jsonl') &&
    someLine(
      head,
      (object) =>
        KNOWN.has(String(object['type'])) &&
        ['sessionId', 'uuid', 'leafUuid', 'messageId', 'snapshot'].some((key) => Object.hasOwn(object, key)),
      (start) => /"(parentUuid|leafUuid)"/.test(start) && /"sessionId"/.test(start),
    ),
  start: ({ path }) => startClaude(path),
  read(state, text, line) {
    if (text.trimStart().startsWith('//')) return [];
    const { objects, bad } = parseLine(text, line);
    for (const object of objects) readObject(state, object, line);
    if (bad !== null) state.chain.out.push({ kind: 'bad', line, reason: bad });
    return take(state.chain);
  },
  end: (state) => {
    const chain = forkChain(state.chain);
    if (chain.header === null && state.lastSummary === null) return [];
    if (chain.header === null) putHeader(chain, { at: null, cwd: null, line: 1 });
    closeTurn(chain, 1);
    for (const thread of state.threads) {
      if (thread.turn === null || thread === state.threads[state.thread]) continue;
      chain.turn = { ...thread.turn, files: new Map(thread.turn.files) };
      closeTurn(chain, 1);
    }
    const main = state.threads[state.main];
    if (main !== undefined && state.thread !== state.main) moveTip(chain, main.leaf, 1);
    const title = state.titleRank === 0 && state.spots.size === 0 ? state.lastSummary : null;
    chain.out.push({ kind: 'facts', facts: { updatedAt: chain.at, ...(title === null ? {} : { title }) } });
    return take(chain);
  },
};

function readObject(state: ClaudeState, object: JsonObject, line: number): void {
  const type = textOf(object['type']) ?? '';
  if (isTitle(type)) {
    readTitle(state, object, type);
    return;
  }
  if (SILENT.has(type)) return;
  const uuid = textOf(object['uuid']);
  if (!KNOWN.has(type)) {
    state.chain.out.push({ kind: 'unknown', line, type: type === '' ? 'a line without a type' : type });
    passThrough(state, object);
    return;
  }
  if ((type === 'user' || type === 'assistant') && objectOf(object['message']) === null) {
    state.chain.out.push({ kind: 'bad', line, reason: `a line of the kind ${type} without a message` });
    return;
  }
  // A file that was resumed can hold earlier lines again.
  if (uuid !== null && state.spots.has(uuid)) return;
  readEnvelope(state, object, line);
  const key = uuid ?? `${state.chain.strand}/${line}/${state.chain.out.length}`;
  readChained(state, { object, type, line, key });
  const pending = uuid === null ? undefined : state.summaries.get(uuid);
  if (pending !== undefined) setTitle(state, pending, TITLE_RANKS.summary);
}

function readChained(
  state: ClaudeState,
  told: { readonly object: JsonObject; readonly type: string; readonly line: number; readonly key: string },
): void {
  const { object, type } = told;
  if (type === 'user') readUser(state, told);
  else if (type === 'assistant') readAssistant(state, told);
  else if (type === 'attachment' && readQueued(state, told)) rememberLine(state, object);
  else {
    if (type === 'system') readSystem(state, object);
    passThrough(state, object);
    return;
  }
  rememberLine(state, object);
}

function readEnvelope(state: ClaudeState, object: JsonObject, line: number): void {
  const { chain } = state;
  const [at, cwd] = [isoOf(object['timestamp']), textOf(object['cwd'])];
  const branch = textOf(object['gitBranch']);
  putHeader(chain, { at, cwd, branch, line, startedBy: parentStrand(state) });
  const session = textOf(object['sessionId']);
  tellFacts(state.chain, {
    session: state.isSub ? (textOf(object['agentId']) ?? session) : (state.chain.told.session ?? session),
    cwd,
    branch,
    version: textOf(object['version']),
    startedAt: state.chain.told.startedAt ?? at,
  });
  if (state.isSub && session !== null && state.chain.told.parent === undefined) {
    tellFacts(state.chain, { parent: { session, call: null } });
  }
}

function readTitle(state: ClaudeState, object: JsonObject, type: keyof typeof TITLE_RANKS): void {
  const title = textOf(object[TITLE_MEMBERS[type]]);
  if (title === null || title === '') return;
  if (type !== 'summary') {
    setTitle(state, title, TITLE_RANKS[type]);
    return;
  }
  const leaf = textOf(object['leafUuid']) ?? '';
  state.lastSummary = title;
  // Most summaries are of other sessions: one counts when the line that it names is in this file.
  if (state.spots.has(leaf)) setTitle(state, title, TITLE_RANKS.summary);
  else state.summaries.set(leaf, title);
}

function setTitle(state: ClaudeState, title: string, rank: number): void {
  if (rank < state.titleRank) return;
  state.titleRank = rank;
  tellFacts(state.chain, { title });
}

/** A prompt that was typed while a turn was running. */
function readQueued(
  state: ClaudeState,
  { object, line, key }: { readonly object: JsonObject; readonly line: number; readonly key: string },
): boolean {
  const attachment = objectOf(object['attachment']);
  const text = attachment?.['type'] === 'queued_command' ? textOf(attachment['prompt']) : null;
  if (text === null || text === '') return false;
  placeLine(state, { object, line, isPrompt: false });
  const place = { key, at: object['timestamp'], line };
  push(state.chain, place, {
    kind: 'message',
    role: 'user',
    steer: true,
    parts: [{ type: 'text', text }],
  });
  return true;
}

function readSystem(state: ClaudeState, object: JsonObject): void {
  const subtype = object['subtype'];
  if (subtype === 'compact_boundary') readBoundary(state, object);
  const durationMs = numberOf(object['durationMs']);
  if (subtype === 'turn_duration' && durationMs !== null && durationMs > 0 && state.chain.turn !== null)
    state.chain.turn.durationMs = durationMs;
}

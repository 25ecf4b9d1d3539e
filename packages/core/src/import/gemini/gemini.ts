/**
 * Sessions of Gemini CLI: one JSON document, or JSON lines in which a message is written again whenever it changes, all
 * messages can be replaced, and everything after one of them taken back. A document may be called `.jsonl` too.
 */
import type { RecordId } from '../../record/ids.ts';
import {
  type Chain,
  closeTurn,
  forkChain,
  moveTip,
  push,
  pushAgain,
  pushPrompt,
  putHeader,
  startChain,
  take,
  tellFacts,
} from '../chain.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import { parseLine } from '../json-lines.ts';
import type { SessionReader } from '../reader.ts';
import { isoOf } from '../times.ts';
import { saidIn } from './message.ts';

interface Placed {
  readonly record: RecordId;
  /** The record that it stands on. */
  readonly on: RecordId | null;
}

export interface GeminiState {
  readonly chain: Chain;
  readonly path: string;
  /** Messages by the tool's own ids, those that were taken back included. */
  readonly placed: Map<string, Placed>;
  /** Of a document that lies on several lines. */
  lines: string[] | null;
  chars: number;
}

const MAX_DOCUMENT_CHARS = 128 * 1024 * 1024;

export const geminiReader: SessionReader<GeminiState> = {
  agent: 'gemini',
  version: 1,
  unit: 'line',
  accepts: (head, path) =>
    /\.jsonl?$/.test(path) && head.trimStart().startsWith('{') && /"projectHash"\s*:/.test(head),
  start: ({ path }) => ({
    chain: startChain('gemini', path),
    path,
    placed: new Map(),
    lines: null,
    chars: 0,
  }),
  read(state, text, line) {
    if (state.lines !== null || isDocumentStart(text, line)) return collect(state, text, line);
    const { objects, bad } = parseLine(text, line);
    for (const object of objects) readObject(state, object, line);
    if (bad !== null) state.chain.out.push({ kind: 'bad', line, reason: bad });
    return take(state.chain);
  },
  takesRest: ({ lines }) => lines !== null,
  end(state) {
    const whole = state.lines === null ? state : readDocument(state);
    if (whole.chain.header === null) return take(whole.chain);
    const chain = state.lines === null ? forkChain(whole.chain) : whole.chain;
    closeTurn(chain, 1);
    chain.out.push({ kind: 'facts', facts: { updatedAt: chain.told.updatedAt ?? chain.at } });
    return take(chain);
  },
};

/** Nothing but the opening of an object: the rest of it follows. */
const isDocumentStart = (text: string, line: number): boolean => line === 1 && /^\uFEFF?\s*\{\s*$/.test(text);

function collect(state: GeminiState, text: string, line: number) {
  state.lines ??= [];
  state.chars += text.length;
  if (state.chars <= MAX_DOCUMENT_CHARS) state.lines.push(line === 1 ? text.replace('\uFEFF', '') : text);
  return [];
}

/** On a state of its own: more lines may follow. */
function readDocument({ path, lines, chars }: GeminiState): GeminiState {
  const state: GeminiState = {
    chain: startChain('gemini', path),
    path,
    placed: new Map(),
    lines: null,
    chars: 0,
  };
  const { objects, bad } = chars > MAX_DOCUMENT_CHARS ? TOO_LONG : parseLine((lines ?? []).join('\n'), 1);
  const [document] = objects;
  if (document !== undefined) readObject(state, document, 1);
  if (bad !== null) state.chain.out.push({ kind: 'bad', line: 1, reason: bad });
  return state;
}

const TOO_LONG = { objects: [] as readonly JsonObject[], bad: 'the file is too long to be read as a whole' };

function readObject(state: GeminiState, object: JsonObject, line: number): void {
  const set = objectOf(object['$set']);
  if (set !== null) readMetadata(state, set, line);
  else if (Object.hasOwn(object, '$rewindTo')) rewind(state, textOf(object['$rewindTo']) ?? '', line);
  else if (Object.hasOwn(object, 'sessionId') || Array.isArray(object['messages']))
    readMetadata(state, object, line);
  else readMessage(state, object, line);
}

function readMetadata({ ...state }: GeminiState, told: JsonObject, line: number): void {
  const { chain } = state;
  const startedAt = isoOf(told['startTime']);
  if (chain.header === null) putHeader(chain, { at: startedAt, cwd: null, line });
  const parent = told['kind'] === 'subagent' ? parentOf(state.path) : null;
  tellFacts(chain, {
    session: textOf(told['sessionId']),
    startedAt,
    updatedAt: isoOf(told['lastUpdated']),
    title: textOf(told['summary']),
    ...(parent === null || chain.told.parent !== undefined
      ? {}
      : { parent: { session: parent, call: null } }),
  });
  if (Array.isArray(told['messages'])) replaceAll(state, objectsOf(told['messages']), line);
}

const parentOf = (path: string): string | null => /([^/\\]+)[/\\][^/\\]+$/.exec(path)?.[1] ?? null;

/** These messages and no others, in this order. */
function replaceAll(state: GeminiState, messages: readonly JsonObject[], line: number): void {
  const { chain } = state;
  let on: RecordId | null = headerOf(state);
  for (const message of messages) {
    const known = state.placed.get(textOf(message['id']) ?? '');
    if (known === undefined) moveTip(chain, on, line);
    else state.placed.set(textOf(message['id']) ?? '', { ...known, on });
    on = readMessage(state, message, line) ?? on;
  }
  moveTip(chain, on, line);
}

/** The header is what the first message stands on. */
const headerOf = ({ chain, placed }: GeminiState): RecordId | null => {
  for (const { on } of placed.values()) return on;
  return chain.tip;
};

function rewind(state: GeminiState, id: string, line: number): void {
  closeTurn(state.chain, line);
  moveTip(state.chain, state.placed.get(id)?.on ?? headerOf(state), line);
}

/** The record of the message; null when its kind is not known. */
function readMessage(state: GeminiState, message: JsonObject, line: number): RecordId | null {
  const { chain, placed } = state;
  const said = saidIn(message);
  if (said === null) {
    const type = textOf(message['type']) ?? 'a line without a type';
    chain.out.push({ kind: 'unknown', line, type });
    return null;
  }
  const id = textOf(message['id']);
  const known = id === null ? undefined : placed.get(id);
  const place = { key: id ?? `${chain.strand}/${line}/${chain.out.length}`, at: message['timestamp'], line };
  if (known !== undefined) return pushAgain(chain, { ...place, on: known.on }, said.body);
  putHeader(chain, { at: message['timestamp'], cwd: null, line });
  const on = chain.tip;
  const record = said.kind === 'prompt' ? pushPrompt(chain, place, said.body) : push(chain, place, said.body);
  if (id !== null) placed.set(id, { record, on });
  return record;
}

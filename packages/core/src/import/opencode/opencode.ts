/**
 * Sessions of opencode as its export gives them: `{info, messages: [{info, parts}]}`. A database and the older tree of
 * files are made into this document before they come here.
 */
import type { Part } from '../../record/parts.ts';
import type { Usage } from '../../record/schema.ts';
import {
  type Chain,
  closeTurn,
  markTurn,
  moveTip,
  type Place,
  push,
  pushPrompt,
  putHeader,
  startChain,
  take,
} from '../chain.ts';
import { addChange } from '../changes.ts';
import { countOf, type JsonObject, numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import { parseLine } from '../json-lines.ts';
import type { SessionReader } from '../reader.ts';
import { isoOf } from '../times.ts';
import { noteEdit, partsOf } from './parts.ts';

export interface OpencodeState {
  readonly chain: Chain;
}

export const opencodeReader: SessionReader<OpencodeState> = {
  agent: 'opencode',
  version: 1,
  unit: 'document',
  accepts: (head, path) => path.endsWith('.json') && /^\uFEFF?\s*\{\s*"info"\s*:\s*\{/.test(head),
  start: ({ path }) => ({ chain: startChain('opencode', path) }),
  read({ chain }, text) {
    const { objects, bad } = parseLine(text, 1);
    const [document] = objects;
    if (document !== undefined) readDocument(chain, document);
    if (bad !== null) chain.out.push({ kind: 'bad', line: 1, reason: bad });
    return take(chain);
  },
  end: () => [],
};

function readDocument(chain: Chain, document: JsonObject): void {
  const info = objectOf(document['info']) ?? {};
  const time = objectOf(info['time']);
  const cwd = textOf(info['directory']);
  putHeader(chain, { at: time?.['created'], cwd, line: 1 });
  const title = textOf(info['title']);
  const parent = textOf(info['parentID']);
  chain.out.push({
    kind: 'facts',
    facts: {
      session: textOf(info['id']),
      cwd,
      startedAt: isoOf(time?.['created']),
      updatedAt: isoOf(time?.['updated']),
      version: textOf(info['version']),
      ...(title === null || /^(New|Child) session - \d/.test(title) ? {} : { title }),
      ...(parent === null ? {} : { parent: { session: parent, call: null } }),
    },
  });
  const reverted = textOf(objectOf(info['revert'])?.['messageID']);
  let before = null;
  for (const message of objectsOf(document['messages'])) {
    if (reverted !== null && textOf(objectOf(message['info'])?.['id']) === reverted) before = chain.tip;
    readMessage(chain, message);
  }
  closeTurn(chain, 1);
  moveTip(chain, before, 1);
}

function readMessage(chain: Chain, message: JsonObject): void {
  const info = objectOf(message['info']) ?? {};
  const told = objectsOf(message['parts']);
  const parts: Part[] = told.flatMap((part) => {
    const known = partsOf(part);
    if (known === null) chain.out.push({ kind: 'unknown', line: 1, type: `part ${String(part['type'])}` });
    return known ?? [];
  });
  const place: Place = {
    key: textOf(info['id']) ?? `${chain.strand}/${chain.out.length}`,
    at: objectOf(info['time'])?.['created'],
    line: 1,
  };
  if (info['role'] === 'user') readUser(chain, { info, parts, place });
  else if (info['role'] === 'assistant') {
    readAssistant(chain, { info, parts, place });
    for (const part of told) noteEdit(chain, part);
  } else chain.out.push({ kind: 'unknown', line: 1, type: `role ${String(info['role'])}` });
}

interface Said {
  readonly info: JsonObject;
  readonly parts: Part[];
  readonly place: Place;
}

function readUser(chain: Chain, { info, parts, place }: Said): void {
  const isPrompt = parts.some(({ type }) => type === 'text' || type === 'image');
  if (!isPrompt) {
    if (parts.length > 0) push(chain, place, { kind: 'message', role: 'user', by: 'bridge', parts });
    return;
  }
  pushPrompt(chain, place, { kind: 'message', role: 'user', parts });
  for (const diff of objectsOf(objectOf(info['summary'])?.['diffs'])) {
    const path = textOf(diff['file']);
    if (path === null) continue;
    const status = diff['before'] === '' ? 'added' : diff['after'] === '' ? 'deleted' : 'modified';
    addChange(chain, { path, status, added: lines(diff['additions']), removed: lines(diff['deletions']) });
  }
}

const lines = (value: unknown): number | null => {
  const count = numberOf(value);
  return count === null || count < 0 ? null : Math.trunc(count);
};

function readAssistant(chain: Chain, { info, parts, place }: Said): void {
  const failure = failureOf(objectOf(info['error']));
  if (failure !== null) markTurn(chain, failure.outcome, failure.outcome === 'failed' ? failure.error : null);
  if (info['summary'] === true) {
    const summary = parts.flatMap((part) =>
      part.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
    );
    push(chain, place, { kind: 'digest', summary: summary.join('\n'), keepFrom: null, trigger: 'auto' });
    return;
  }
  const model = textOf(info['modelID']);
  const tokens = objectOf(info['tokens']);
  const cost = numberOf(info['cost']);
  push(chain, place, {
    kind: 'message',
    role: 'assistant',
    parts,
    ...(model === null ? {} : { model }),
    ...(tokens === null ? {} : { usage: usageOf(tokens) }),
    ...(cost === null || cost < 0 ? {} : { cost }),
    ...(failure === null ? {} : { stop: failure.stop, error: failure.error }),
  });
}

function failureOf(told: JsonObject | null) {
  if (told === null) return null;
  const error = textOf(objectOf(told['data'])?.['message']) ?? textOf(told['name']) ?? 'unknown';
  return told['name'] === 'MessageAbortedError'
    ? ({ outcome: 'aborted', stop: 'aborted', error } as const)
    : ({ outcome: 'failed', stop: 'error', error } as const);
}

/** The input is told without what came from the cache. */
const usageOf = (tokens: JsonObject): Usage => {
  const cache = objectOf(tokens['cache']);
  const [cacheRead, cacheWrite] = [countOf(cache?.['read']), countOf(cache?.['write'])];
  const reasoning = countOf(tokens['reasoning']);
  return {
    input: countOf(tokens['input']) + cacheRead + cacheWrite,
    output: countOf(tokens['output']) + reasoning,
    cacheRead,
    cacheWrite,
    reasoning,
  };
};

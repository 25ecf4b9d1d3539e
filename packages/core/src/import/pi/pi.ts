/**
 * Sessions of Pi and Oh My Pi: one tree a file since version 2, a plain list before. Where an entry's parent is not the
 * entry before it, the session went on from there: a branch.
 */
import { someLine } from '../accepts.ts';
import { closeTurn, forkChain, moveTip, putHeader, startChain, take, tellFacts } from '../chain.ts';
import { hash64 } from '../ids.ts';
import { type JsonObject, numberOf, objectOf, textOf } from '../json.ts';
import { parseLine } from '../json-lines.ts';
import type { ForeignAgent, SessionReader } from '../reader.ts';
import { isoOf } from '../times.ts';
import { readEntry } from './read-entry.ts';
import type { PiState } from './state.ts';

export const piReader = (agent: Extract<ForeignAgent, 'pi' | 'omp'>): SessionReader<PiState> => ({
  agent,
  version: 1,
  unit: 'line',
  accepts: (head, path) =>
    path.endsWith('.jsonl') &&
    someLine(
      head,
      (object) => object['type'] === 'session' && Object.hasOwn(object, 'cwd') && Object.hasOwn(object, 'id'),
    ),
  start: ({ path }) => ({ chain: startChain(agent, path), session: null, entries: new Map(), order: [] }),
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
});

function readObject(state: PiState, object: JsonObject, line: number): void {
  if (object['type'] === 'session') {
    readHeader(state, object, line);
    return;
  }
  const id = textOf(object['id']);
  // A copy of an entry that is there already.
  if (id !== null && state.entries.has(id)) return;
  goToParent(state, object, line);
  const isKnown = readEntry(state, { object, line, key: keyOf(state, object, line) });
  if (!isKnown)
    state.chain.out.push({ kind: 'unknown', line, type: textOf(object['type']) ?? 'a line without a type' });
  state.order.push(state.chain.tip);
  if (id !== null) state.entries.set(id, state.chain.tip);
}

function readHeader(state: PiState, object: JsonObject, line: number): void {
  const { chain } = state;
  const [at, cwd] = [isoOf(object['timestamp']), textOf(object['cwd'])];
  state.session ??= textOf(object['id']);
  putHeader(chain, { at, cwd, line });
  const version = numberOf(object['version']);
  tellFacts(chain, {
    session: chain.told.session ?? state.session,
    cwd,
    startedAt: chain.told.startedAt ?? at,
    version: version === null ? null : String(version),
    forkOf: textOf(object['parentSession']) ?? textOf(object['branchedFrom']),
  });
}

function goToParent(state: PiState, object: JsonObject, line: number): void {
  const parent = textOf(object['parentId']);
  const record = parent === null ? undefined : state.entries.get(parent);
  if (record === undefined || record === null || record === state.chain.tip) return;
  closeTurn(state.chain, line);
  moveTip(state.chain, record, line);
}

/** Ids are unique in a session only; with the moment they stay the same in a fork. */
function keyOf(state: PiState, object: JsonObject, line: number): string {
  const [id, at] = [textOf(object['id']), textOf(object['timestamp'])];
  if (id !== null) return `${id}|${at ?? state.session ?? ''}`;
  const [high, low] = hash64(JSON.stringify(objectOf(object['message']) ?? object).slice(0, 4096));
  return `${at ?? `${state.session ?? state.chain.strand}#${line}`}|${high}.${low}`;
}

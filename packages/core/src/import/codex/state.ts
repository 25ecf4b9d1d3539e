/** What is remembered while a rollout of Codex is read. Plain data. */
import type { Usage } from '../../record/schema.ts';
import { type Chain, startChain } from '../chain.ts';
import { hash64 } from '../ids.ts';

/** A rollout says most things twice, as an item and as an event, in either order. */
export interface Twice {
  readonly what: 'prompt' | 'answer' | 'thinking';
  readonly from: 'item' | 'event';
  readonly text: string;
}

export interface CodexState {
  readonly chain: Chain;
  session: string | null;
  model: string | null;
  /** As `token_count` told it last: it is cumulative. */
  total: Usage | null;
  readonly recent: Twice[];
  /** Keys given out lately: equal items of one moment are told apart. */
  readonly keys: Map<string, number>;
}

const MAX_RECENT = 24;
const MAX_KEYS = 256;
const MAX_COMPARED = 20_000;

export const startCodex = (path: string): CodexState => ({
  chain: startChain('codex', path),
  session: null,
  model: null,
  total: null,
  recent: [],
  keys: new Map(),
});

/** True when the other of the two said it already. */
export const wasSaid = (state: CodexState, said: Twice): boolean => {
  const text = said.text.trim().slice(0, MAX_COMPARED);
  const at = state.recent.findIndex(
    (one) => one.what === said.what && one.from !== said.from && isSame(one.text, text),
  );
  if (at >= 0) {
    state.recent.splice(at, 1);
    return true;
  }
  state.recent.push({ ...said, text });
  if (state.recent.length > MAX_RECENT) state.recent.shift();
  return false;
};

/** A client may put what is open in the editor before a prompt. */
const isSame = (a: string, b: string): boolean =>
  a === b || (a.length > 0 && b.length > 0 && (a.endsWith(b) || b.endsWith(a)));

/** Items have no ids: moment, kind and content stand for one, so that a copy of the history has the same. */
export const keyOf = (
  state: CodexState,
  item: { readonly at: string | null; readonly what: string; readonly text: string; readonly line: number },
): string => {
  const moment = item.at ?? `${state.session ?? state.chain.strand}#${item.line}`;
  const [high, low] = hash64(`${item.text.length}:${item.text.slice(0, 4096)}`);
  const key = `${moment}|${item.what}|${high}.${low}`;
  const times = state.keys.get(key) ?? 0;
  state.keys.set(key, times + 1);
  const [oldest] = state.keys.keys();
  if (state.keys.size > MAX_KEYS && oldest !== undefined) state.keys.delete(oldest);
  return times === 0 ? key : `${key}|${times}`;
};

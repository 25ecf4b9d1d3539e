/**
 * Where a line belongs. A parent with several children is mostly no branch: calls that run side by side and progress
 * lines hang there too. A branch begins with a prompt whose parent lies before another prompt.
 */
import { type JsonObject, textOf } from '../json.ts';
import { type ClaudeState, enter, openThread, type Spot } from './state.ts';

export const placeLine = (
  state: ClaudeState,
  asked: { readonly object: JsonObject; readonly line: number; readonly isPrompt: boolean },
): void => enter(state, threadOf(state, asked), asked.line);

function threadOf(
  state: ClaudeState,
  { object, isPrompt }: { readonly object: JsonObject; readonly isPrompt: boolean },
): number {
  const spot = spotOf(state, object);
  const isSide = spot !== null && state.threads[spot.thread]?.isSide === true;
  if (object['isSidechain'] === true && !state.isSub) {
    return isSide ? spot.thread : openThread(state, state.threads[state.main]?.leaf ?? null, true);
  }
  if (spot === null || isSide) return state.main;
  const isLater = spot.turn < (state.threads[spot.thread]?.turns ?? 0);
  return isPrompt && isLater ? branchFrom(state, spot) : spot.thread;
}

function branchFrom(state: ClaudeState, { record, turn }: Spot): number {
  const thread = openThread(state, record, false);
  const opened = state.threads[thread];
  if (opened !== undefined) opened.turns = turn;
  return thread;
}

const spotOf = (state: ClaudeState, object: JsonObject): Spot | null => {
  const parent = textOf(object['parentUuid']);
  return parent === null ? null : (state.spots.get(parent) ?? null);
};

/** Remembers where the line stands, for those that name it as their parent. */
export const rememberLine = (state: ClaudeState, object: JsonObject): void => {
  const uuid = textOf(object['uuid']);
  if (uuid === null) return;
  const thread = state.threads[state.thread];
  if (thread !== undefined) thread.leaf = state.chain.tip;
  state.spots.set(uuid, { record: state.chain.tip, thread: state.thread, turn: thread?.turns ?? 0 });
};

/** A line that is no record: its children hang where it does. */
export const passThrough = (state: ClaudeState, object: JsonObject): void => {
  const uuid = textOf(object['uuid']);
  if (uuid === null || state.spots.has(uuid)) return;
  const spot = spotOf(state, object);
  const main = state.threads[state.main];
  const here = { record: main?.leaf ?? null, thread: state.main, turn: main?.turns ?? 0 };
  state.spots.set(uuid, spot ?? here);
};

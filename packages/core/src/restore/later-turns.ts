/** Later turns that built on what a restore takes back: they are named, so that nobody is surprised. */
import type { RestoreResult } from '../protocol/restore.ts';
import type { TurnId } from '../record/ids.ts';
import { pathKey } from '../record/path-ref.ts';
import type { StrandState } from '../strand/state.ts';
import { turnsOf } from '../strand/turns.ts';

/** The result with, for each file, the turns of the path after the last of `turns` that changed it and stand. */
export const withLaterTurns = (
  result: RestoreResult,
  state: StrandState,
  turns: readonly TurnId[],
): RestoreResult => {
  const path = turnsOf(state);
  const last = path.findLastIndex(({ turn }) => turns.includes(turn));
  if (last < 0 || result.files.length === 0) return result;
  const later = path.slice(last + 1).filter(({ undone }) => !undone);
  const changed = later.map(({ turn }) => {
    const files = state.turnRecords.get(turn)?.files ?? [];
    return { turn, paths: new Set(files.map((file) => pathKey(file.path))) };
  });
  const files = result.files.map((file) => {
    const laterTurns = changed.filter(({ paths }) => paths.has(pathKey(file.path))).map(({ turn }) => turn);
    return { ...file, laterTurns };
  });
  return { ...result, files };
};

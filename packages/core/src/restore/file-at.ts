/** What a file was at a moment of a session, as far as its journal tells. */
import { type PathRef, pathKey } from '../record/path-ref.ts';
import { mutationsOf } from './effects.ts';
import type { FileState } from './file-state.ts';
import type { JournalEntry } from './journal-entry.ts';

/**
 * The state that the last change up to `at` (ISO 8601) left; before the first change, what that one found. Null when the
 * session never changed the path: then what lies on disk is as good an answer as any.
 */
export const fileAt = (entries: readonly JournalEntry[], path: PathRef, at: string): FileState | null => {
  const steps = stepsOf(entries, pathKey(path));
  const last = steps.findLast((step) => step.at <= at);
  return last?.to ?? steps[0]?.from ?? null;
};

interface Step {
  readonly at: string;
  readonly from: FileState;
  readonly to: FileState;
}

/** In order. A restore that was given up changed nothing. */
function stepsOf(entries: readonly JournalEntry[], key: string): readonly Step[] {
  const given = new Set(
    entries.flatMap((entry) => (entry.kind === 'settled' && entry.outcome === 'abandoned' ? [entry.op] : [])),
  );
  const turns = new Set(entries.flatMap((entry) => (entry.kind === 'mutation' ? [entry.turn] : [])));
  const mutations = mutationsOf(entries, turns).filter((entry) => pathKey(entry.path) === key);
  const written = mutations.map(({ at, pre, post }): Step => ({ at, from: pre, to: post }));
  const restored = entries.flatMap((entry): readonly Step[] => {
    if (entry.kind !== 'intent' || given.has(entry.op)) return [];
    const step = entry.steps.find((one) => pathKey(one.path) === key);
    return step === undefined ? [] : [{ at: entry.at, from: step.ours, to: step.result }];
  });
  return [...written, ...restored].toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

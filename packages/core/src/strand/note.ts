/**
 * The note for the next prompt: files that restores changed behind the agent's back (DESIGN section 4).
 * Derived from the fold, so it survives a restart; the next prompt on the path ends it, so it is sent once.
 */
import type { z } from 'zod';
import type { notePartSchema } from '../record/parts.ts';
import { type PathRef, pathKey, showPath } from '../record/path-ref.ts';
import type { RecordOf } from '../record/schema.ts';
import type { StrandState } from './state.ts';

export type NotePart = z.infer<typeof notePartSchema>;

const MAX_NAMED = 50;

/** The first part of the next prompt, or null when no restore changed a file since the last one. */
export const pendingNote = (state: StrandState): NotePart | null => {
  const files = restoredFiles(state);
  if (files.length === 0) return null;
  const named = files.slice(0, MAX_NAMED).map((path) => `- ${showPath(path)}`);
  if (files.length > MAX_NAMED) named.push(`- and ${files.length - MAX_NAMED} more`);
  const text = [
    'The user restored these files to another state since your last message. Read them again before you rely on what you know of them:',
    ...named,
  ].join('\n');
  return { type: 'note', text, files: [...files] };
};

/** Paths that a pending note would name; a fork carries them in `origin.restored`. */
export const restoredFiles = (state: StrandState): readonly PathRef[] => {
  const since = lastPromptSeq(state);
  const inherited = since <= inheritedSeq(state) ? (state.header?.origin?.restored ?? []) : [];
  const own = state.restores.filter(({ seq }) => seq > since).flatMap(({ record }) => changedPaths(record));
  return [...new Map([...inherited, ...own].map((path) => [pathKey(path), path])).values()];
};

/** Paths that a restore changed; `already`: before the crash that it was finished after. */
export const changedPaths = ({ files }: Pick<RecordOf<'restore'>, 'files'>): readonly PathRef[] =>
  files.filter(({ action, result }) => action !== 'nothing' && result !== 'left').map(({ path }) => path);

function lastPromptSeq(state: StrandState): number {
  const prompt = state.tip === null ? null : state.nodes.get(state.tip)?.prompt;
  return prompt === null || prompt === undefined ? 0 : (state.nodes.get(prompt)?.seq ?? 0);
}

/** Line of the last record that was copied from the strand this one was forked from; 0 when none was. */
export const inheritedSeq = (state: StrandState): number => {
  const last = state.header?.origin?.record ?? null;
  return last === null ? 0 : (state.nodes.get(last)?.seq ?? 0);
};

/**
 * Whose change is it? (DESIGN section 5) What two captures around a turn's commands saw, and what its gate journalled,
 * become the journal lines that are still missing: the commands' own work, and what nobody is known to have done.
 */
import { type PathRef, pathKey } from '../record/path-ref.ts';
import { type FileState, sameFileState } from './file-state.ts';
import type { MutationEntry } from './journal-entry.ts';

/** One path whose state differs between the capture before the first command and the one after the turn. */
export interface SeenChange {
  readonly path: PathRef;
  readonly before: FileState;
  readonly after: FileState;
  readonly madeDirs: readonly PathRef[];
  readonly trees: NonNullable<MutationEntry['trees']>;
}

export interface AttributeInput {
  readonly changes: readonly SeenChange[];
  /** This turn's mutations, in order. */
  readonly mutations: readonly MutationEntry[];
  /** How many of them were journalled when the capture before was taken. */
  readonly journalledBefore: number;
  /** The last command; its name stands in the lines. */
  readonly call: string;
  /** Whether a command ran after the gate's last write of the path. */
  readonly ranAfterLastWrite: (path: PathRef) => boolean;
  /** What another session's gate or a restore left there meanwhile. */
  readonly writtenByOthers: (path: PathRef) => FileState | undefined;
  /** A command of another session ran at the same time: it may have written anything. */
  readonly othersRanCommands: boolean;
}

export type FoundMutation = Pick<
  MutationEntry,
  'call' | 'path' | 'pre' | 'post' | 'madeDirs' | 'by' | 'first' | 'trees'
>;

/** Lines to append for the turn, in the order of the changes. */
export const attributeChanges = (input: AttributeInput): readonly FoundMutation[] => {
  const lines = linesByPath(input);
  return input.changes.flatMap((change) => {
    const { early, late } = lines.get(pathKey(change.path)) ?? NONE;
    if (late.length === 0) return withoutGate(input, change, early.at(-1)?.post ?? change.before);
    return [...beforeGate(input, change, { early, late }), ...afterGate(input, change, late)];
  });
};

interface Lines {
  /** Journalled before the first capture, and after it. */
  readonly early: readonly MutationEntry[];
  readonly late: readonly MutationEntry[];
}

const NONE: Lines = { early: [], late: [] };

function linesByPath({ mutations, journalledBefore }: AttributeInput): ReadonlyMap<string, Lines> {
  const lines = new Map<string, { early: MutationEntry[]; late: MutationEntry[] }>();
  for (const [at, mutation] of mutations.entries()) {
    const key = pathKey(mutation.path);
    const found = lines.get(key) ?? { early: [], late: [] };
    (at < journalledBefore ? found.early : found.late).push(mutation);
    lines.set(key, found);
  }
  return lines;
}

/** Only commands can have written it since the capture. */
function withoutGate(input: AttributeInput, change: SeenChange, from: FileState): readonly FoundMutation[] {
  // Somebody changed it between the gate's last write and the capture: the gap stays one, and is a conflict.
  if (!sameFileState(from, change.before)) return [];
  return lineOf(input, change, { pre: change.before, post: change.after });
}

/** A command wrote it between the capture and the gate's first write. */
function beforeGate(
  input: AttributeInput,
  change: SeenChange,
  { early, late }: Lines,
): readonly FoundMutation[] {
  const found = late[0]?.pre;
  // With lines from before the capture the gate itself wrote down what came between.
  if (found === undefined || early.length > 0 || sameFileState(change.before, found)) return [];
  return lineOf(input, change, { pre: change.before, post: found }).map((line) => ({
    ...line,
    first: true,
    trees: { ...change.trees, post: null },
  }));
}

/** A command wrote it after the gate's last write. Without one it was the user: then the gate's is the turn's state. */
function afterGate(
  input: AttributeInput,
  change: SeenChange,
  late: readonly MutationEntry[],
): readonly FoundMutation[] {
  const left = late.at(-1)?.post;
  if (left === undefined || sameFileState(left, change.after) || !input.ranAfterLastWrite(change.path))
    return [];
  return lineOf(input, change, { pre: left, post: change.after }).map((line) => ({
    ...line,
    trees: { ...change.trees, pre: null },
  }));
}

function lineOf(
  input: AttributeInput,
  { path, madeDirs, trees }: SeenChange,
  states: { readonly pre: FileState; readonly post: FileState },
): readonly FoundMutation[] {
  const theirs = input.writtenByOthers(path);
  if (theirs !== undefined && sameFileState(theirs, states.post)) return [];
  const isSure = theirs === undefined && !input.othersRanCommands;
  const made = states.pre.type === 'absent' ? [...madeDirs] : [];
  return [
    { call: input.call, path, ...states, madeDirs: made, by: isSure ? 'shell' : 'unattributed', trees },
  ];
}

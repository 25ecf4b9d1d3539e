/**
 * What a turn or an operation did to files, from the journal: for each path the state to return to
 * (`theirs`) and the state it left (`base`). DESIGN section 5, "Whose change is it?".
 */
import type { OpId, TurnId } from '../record/ids.ts';
import { type PathRef, pathKey } from '../record/path-ref.ts';
import type { FileChange } from '../record/schema.ts';
import { type FileState, sameFileState } from './file-state.ts';
import type { IntentEntry, JournalEntry, MutationEntry } from './journal-entry.ts';

export interface PathEffect {
  readonly path: PathRef;
  /** What the first write found: undo brings this back. */
  readonly theirs: FileState;
  /** What the last write left: only a file that still looks like this may be touched. */
  readonly base: FileState;
  /** Folders that were created on the way, outermost first; they go again when empty. */
  readonly madeDirs: readonly PathRef[];
  /** The least certain of the writers of the path. */
  readonly by: MutationEntry['by'];
}

/**
 * Effects of one turn, or of several taken together (first `pre` to last `post`), in order of first touch.
 * A path that ends as it began is still here: see `isNetChange`.
 */
export const turnEffects = (
  entries: readonly JournalEntry[],
  turns: TurnId | readonly TurnId[],
): readonly PathEffect[] => {
  const wanted = new Set<TurnId>(typeof turns === 'string' ? [turns] : turns);
  const effects = new Map<string, PathEffect>();
  for (const mutation of mutationsOf(entries, wanted)) {
    const key = pathKey(mutation.path);
    effects.set(key, joinMutation(effects.get(key), mutation));
  }
  return shareMadeDirs([...effects.values()]);
};

/** Lines of turns as things happened: what was found only at a turn's end may belong in front of its others. */
export const mutationsOf = (
  entries: readonly JournalEntry[],
  turns: ReadonlySet<TurnId>,
): readonly MutationEntry[] => {
  const ofTurn = new Map<TurnId, { readonly first: MutationEntry[]; readonly rest: MutationEntry[] }>();
  for (const entry of entries) {
    if (entry.kind !== 'mutation' || !turns.has(entry.turn)) continue;
    const lines = ofTurn.get(entry.turn) ?? { first: [], rest: [] };
    (entry.first === true ? lines.first : lines.rest).push(entry);
    ofTurn.set(entry.turn, lines);
  }
  return [...ofTurn.values()].flatMap(({ first, rest }) => [...first, ...rest]);
};

/**
 * Effects of a restore that was carried out, for the redo that takes it back. Paths that recovery left to
 * the user are not part of it; an operation that was given up, or has no intent, had no effects.
 */
export const operationEffects = (entries: readonly JournalEntry[], op: OpId): readonly PathEffect[] => {
  const intent = entries.findLast(
    (entry): entry is IntentEntry => entry.kind === 'intent' && entry.op === op,
  );
  const settled = entries.findLast((entry) => entry.kind === 'settled' && entry.op === op);
  if (intent === undefined || (settled?.kind === 'settled' && settled.outcome === 'abandoned')) return [];
  const left = new Set(settled?.kind === 'settled' ? settled.left.map(pathKey) : []);
  const effects = intent.steps
    .filter(({ path }) => !left.has(pathKey(path)))
    .map(({ path, ours, result, madeDirs }): PathEffect => {
      return { path, theirs: ours, base: result, madeDirs, by: 'gate' };
    });
  return shareMadeDirs(effects);
};

/** False for a path that ends as it began: nothing to undo there, whatever lies on disk now. */
export const isNetChange = ({ theirs, base }: PathEffect): boolean => !sameFileState(theirs, base);

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** The `files` of a `turn` record. `countsOf` gives null where the content is binary or not at hand. */
export const fileChangesOf = (
  effects: readonly PathEffect[],
  countsOf: (effect: PathEffect) => LineCounts | null = () => null,
): FileChange[] =>
  effects.filter(isNetChange).map((effect) => {
    const counts = countsOf(effect);
    const status = changeStatus(effect.theirs, effect.base);
    const { added, removed } = counts ?? { added: null, removed: null };
    return { path: effect.path, status, added, removed, by: effect.by };
  });

/** How a path went from one state to another. */
export const changeStatus = (before: FileState, after: FileState): FileChange['status'] => {
  if (before.type === 'absent') return 'added';
  if (after.type === 'absent') return 'deleted';
  if (before.type !== after.type) return 'type';
  if (before.type === 'file' && after.type === 'file' && before.sha256 === after.sha256) return 'mode';
  return 'modified';
};

function joinMutation(effect: PathEffect | undefined, mutation: MutationEntry): PathEffect {
  const { path, pre, post, madeDirs, by } = mutation;
  if (effect === undefined) return { path, theirs: pre, base: post, madeDirs, by };
  const dirs = uniquePaths([...effect.madeDirs, ...madeDirs]);
  return { ...effect, base: post, madeDirs: dirs, by: surest(effect.by, by) };
}

/** One change by nobody that is known makes the whole path unattributed; else the shell's work counts before the gate's. */
function surest(a: MutationEntry['by'], b: MutationEntry['by']): MutationEntry['by'] {
  if (a === 'unattributed' || b === 'unattributed') return 'unattributed';
  return a === 'shell' || b === 'shell' ? 'shell' : 'gate';
}

/**
 * The first file in a new folder is journalled with the folder, later ones are not. Whichever of them is
 * deleted last must take the folder along, so each gets every made folder above it.
 */
function shareMadeDirs(effects: readonly PathEffect[]): readonly PathEffect[] {
  const made = uniquePaths(effects.flatMap(({ madeDirs }) => madeDirs));
  if (made.length === 0) return effects;
  return effects.map((effect) => {
    const above = made.filter((dir) => isAbove(dir, effect.path));
    return { ...effect, madeDirs: uniquePaths([...effect.madeDirs, ...above]).toSorted(byDepth) };
  });
}

/** Names that are not UTF-8 keep the folders of their own entry only. */
function isAbove(dir: PathRef, path: PathRef): boolean {
  return typeof dir === 'string' && typeof path === 'string' && path.startsWith(`${dir}/`);
}

function byDepth(a: PathRef, b: PathRef): number {
  // A folder is shorter than what lies in it, in bytes or in base64.
  return pathKey(a).length - pathKey(b).length;
}

function uniquePaths(paths: readonly PathRef[]): readonly PathRef[] {
  return [...new Map(paths.map((path) => [pathKey(path), path])).values()];
}

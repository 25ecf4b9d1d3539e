/** The rules in force for one work tree: what is captured, and whether that may have changed. */
import { asBytePath, type BytePath, parentPath } from '../../platform/byte-path.ts';
import { readFileIfThere } from '../../platform/files.ts';
import { stampOf } from '../../platform/stamp.ts';
import { forcedPaths, type IgnoreContext, ignoredOf } from './ignore-rules.ts';
import type { TreePlace } from './place.ts';

export interface Rules {
  /** Changes when any file outside the work tree that rules come from does. */
  readonly stamp: string;
  /** What those files said: the repository's rules, and the user's own before them. Bytes as text. */
  readonly outer: { readonly exclude: string; readonly excludes: string };
  /** The same as `stamp` for the user's index, which decides what is tracked although ignored. */
  readonly indexStamp: string;
  /** Tracked by the user although ignored, and the folders above such files. */
  readonly forced: ReadonlySet<BytePath>;
  readonly forcedFolders: ReadonlySet<BytePath>;
}

export interface Candidate {
  readonly path: BytePath;
  readonly isFolder: boolean;
}

export const GIT_NAME = asBytePath('.git');
export const IGNORE_NAME = asBytePath('.gitignore');

/** Whether what was sorted by the one is still sorted right by the other. */
export const sameRules = (a: Rules | null, b: Rules): boolean =>
  a !== null && a.stamp === b.stamp && a.forced === b.forced;

/**
 * The rules as they are now; `forced` is the same set when nothing in it changed. `isMoved`: a `.gitignore` changed, so
 * that other tracked files are ignored than before. Faults: `io`, `missing_program`.
 */
export const refreshRules = async (
  context: IgnoreContext,
  place: TreePlace,
  known: { readonly before: Rules | null; readonly isMoved: boolean },
): Promise<Rules> => {
  const { before, isMoved } = known;
  const stamp = JSON.stringify([place.exclude, place.excludesFile, await stampOf(place.ruleFiles)]);
  const indexStamp = await stampOf(place.userIndex === null ? [] : [place.userIndex]);
  const isSame = before !== null && before.stamp === stamp;
  if (isSame && before.indexStamp === indexStamp && !isMoved) return before;
  const forced = new Set(await forcedPaths(context, place.userGitDir));
  if (isSame && isSameSet(before.forced, forced)) return { ...before, indexStamp };
  const outer = isSame ? before.outer : await outerOf(place);
  return { stamp, outer, indexStamp, forced, forcedFolders: foldersAbove(forced) };
};

const outerOf = async ({ exclude, excludesFile }: TreePlace): Promise<Rules['outer']> => {
  const bytes = excludesFile === null ? null : await readFileIfThere(excludesFile);
  return { exclude, excludes: bytes === null ? '' : Buffer.from(bytes).toString('latin1') };
};

/** Those that belong to a capture. */
export const wantedOf = async <T extends Candidate>(
  context: IgnoreContext,
  rules: Rules,
  candidates: readonly T[],
): Promise<readonly T[]> => {
  const ignored = await ignoredOf(
    context,
    candidates.map(({ path }) => path),
  );
  return candidates.filter(({ path, isFolder }) => {
    if (!ignored.has(path)) return true;
    return isFolder ? rules.forcedFolders.has(path) : rules.forced.has(path);
  });
};

const foldersAbove = (paths: ReadonlySet<BytePath>): ReadonlySet<BytePath> => {
  const folders = new Set<BytePath>();
  for (const path of paths) {
    for (let above = parentPath(path); above !== '' && !folders.has(above); above = parentPath(above)) {
      folders.add(above);
    }
  }
  return folders;
};

const isSameSet = (a: ReadonlySet<BytePath>, b: ReadonlySet<BytePath>): boolean =>
  a.size === b.size && [...a].every((path) => b.has(path));

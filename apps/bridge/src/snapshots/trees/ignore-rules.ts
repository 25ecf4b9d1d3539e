/**
 * Which paths git would leave out: every `.gitignore` on the way, the repository's `info/exclude`, the user's own
 * excludes file. Git is asked itself, in batches; nothing else of the user's configuration is in force.
 */

import { BridgeError } from '@skein/core/protocol/errors';
import { asBytePath, type BytePath } from '../../platform/byte-path.ts';
import { type Git, type GitCall, mustGit, runGit } from '../../platform/git.ts';

export interface IgnoreContext {
  readonly git: Git;
  /** The store: its `info/exclude` holds the repository's and the built-in rules. */
  readonly gitDir: string;
  /** Real path of the work tree, or of a folder that stands for it with nothing but its `.gitignore` files. */
  readonly root: string;
  /** Absolute path of the user's `core.excludesFile`, or null. */
  readonly excludesFile: string | null;
}

export const ignoreContextOf = (
  { git, store }: { readonly git: Git; readonly store: { readonly gitDir: string } },
  { root, excludesFile }: Pick<IgnoreContext, 'root' | 'excludesFile'>,
): IgnoreContext => ({ git, gitDir: store.gitDir, root, excludesFile });

const DEADLINE_MS = 120_000;

/** The ignored ones of these paths. Faults: `io`, `missing_program`. */
export const ignoredOf = async (
  context: IgnoreContext,
  paths: readonly BytePath[],
): Promise<ReadonlySet<BytePath>> => {
  if (paths.length === 0) return new Set();
  // In front of every path, so that no name is taken for pathspec magic (`:(top)`), which this command reads from stdin.
  const stdin = Buffer.from(paths.map((path) => `./${path}\0`).join(''), 'latin1');
  const call = callOf(context, ['check-ignore', '-z', '--stdin', '--no-index']);
  // It refuses to run with literal pathspecs.
  const answer = await runGit(context.git, {
    ...call,
    stdin,
    env: { ...call.env, GIT_LITERAL_PATHSPECS: '0' },
  });
  // 1: none of them is ignored.
  if ((answer.code !== 0 && answer.code !== 1) || answer.truncated) throw failed(answer.stderr, context.root);
  return new Set(pathsIn(answer.stdout).map((path) => asBytePath(path.slice(2))));
};

/**
 * Paths that the user's index holds although rules would leave them out: they are part of every capture. Empty in a
 * folder without git.
 */
export const forcedPaths = async (
  context: IgnoreContext,
  userGitDir: string | null,
): Promise<readonly BytePath[]> => {
  if (userGitDir === null) return [];
  const listed = await mustGit(context.git, {
    ...callOf({ ...context, gitDir: userGitDir }, [
      'ls-files',
      '-z',
      '--cached',
      '--ignored',
      '--exclude-standard',
    ]),
    config: excludes(context.excludesFile),
  });
  return pathsIn(listed);
};

const callOf = ({ gitDir, root, excludesFile }: IgnoreContext, args: readonly string[]): GitCall => ({
  cwd: root,
  args: ['--git-dir', gitDir, '--work-tree', root, ...args],
  env: { GIT_CEILING_DIRECTORIES: root },
  config: excludes(excludesFile),
  deadlineMs: DEADLINE_MS,
  maxOutputBytes: 256 * 1024 * 1024,
});

const excludes = (file: string | null): readonly string[] => [`core.excludesFile=${file ?? '/dev/null'}`];

const pathsIn = (output: Buffer): BytePath[] => {
  const text = output.toString('latin1');
  return text === '' ? [] : text.replace(/\0$/, '').split('\0').map(asBytePath);
};

const failed = (stderr: string, root: string): BridgeError =>
  new BridgeError('io', `git check-ignore failed: ${stderr.trim().slice(0, 400)}`, { data: { path: root } });

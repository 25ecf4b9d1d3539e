/** Where a folder's captures are kept, and what decides what belongs to them. */
import { createHash } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import { readFileIfThere, statIfThere } from '../../platform/files.ts';
import { type Git, runGit } from '../../platform/git.ts';
import { realPathIfThere } from '../../platform/paths.ts';

export interface TreePlace {
  readonly key: string;
  readonly kind: 'git' | 'folder';
  /** Real path. */
  readonly root: string;
  /** What is written into the store's `info/exclude`. */
  readonly exclude: string;
  /** The user's own `core.excludesFile`, where there is one. */
  readonly excludesFile: string | null;
  /** The user's git directory of this work tree; only read. */
  readonly userGitDir: string | null;
  /** The user's index of this work tree: it decides what is tracked although ignored. */
  readonly userIndex: string | null;
  /** Files outside the work tree that rules come from. */
  readonly ruleFiles: readonly string[];
  /** Files that this answer rests on: while none of them changes, neither does it. */
  readonly restsOn: readonly string[];
}

export type TreePlaceOutcome =
  | { readonly kind: 'place'; readonly place: TreePlace }
  /** Home folders, file system roots and temp folders are not captured without git. */
  | { readonly kind: 'unsafe' };

/** Folders that are made, not written; without a repository nothing else says so. */
const BUILT_IN = [
  '.hg',
  '.svn',
  'node_modules',
  '.history',
  'dist',
  'coverage',
  '.next',
  'build',
  'out',
  'target',
];

export interface PlaceDeps {
  readonly git: Git;
  /** Real path of the user's home. */
  readonly home: string;
  readonly configHome: string;
  readonly tempDirs: readonly string[];
  /** Real paths of Skein's own folders. */
  readonly own: readonly string[];
}

export const findTreePlace = async (deps: PlaceDeps, root: string): Promise<TreePlaceOutcome> => {
  // Also when somebody made a repository of it: the whole disk is nobody's work.
  if (root === '/' || isOwn(deps.own, root)) return { kind: 'unsafe' };
  const repo = await repoOf(deps.git, root);
  if (repo === null && isUnsafe(deps, root)) return { kind: 'unsafe' };
  const excludesFile = await userExcludes(deps, root);
  const exclude =
    repo === null
      ? `${BUILT_IN.map((name) => `${name}/`).join('\n')}\n`
      : await textOfFile(join(repo.commonDir, 'info', 'exclude'));
  const ruleFiles = repo === null ? [] : [join(repo.commonDir, 'info', 'exclude')];
  return {
    kind: 'place',
    place: {
      key: createHash('sha256')
        .update(repo?.commonDir ?? root)
        .digest('hex')
        .slice(0, 32),
      kind: repo === null ? 'folder' : 'git',
      root,
      exclude,
      excludesFile,
      userGitDir: repo?.gitDir ?? null,
      userIndex: repo === null ? null : join(repo.gitDir, 'index'),
      ruleFiles: excludesFile === null ? ruleFiles : [...ruleFiles, excludesFile],
      restsOn: [
        join(root, '.git'),
        ...userConfigs(deps),
        ...ruleFiles,
        ...(repo === null ? [] : [join(repo.commonDir, 'config'), join(repo.gitDir, 'commondir')]),
      ],
    },
  };
};

/** Skein's own folders are no work: a capture would hold the store that it is written to. Worktrees of sessions are. */
const isOwn = (own: readonly string[], root: string): boolean =>
  own.some(
    (path) => root === path || (root.startsWith(`${path}/`) && !root.startsWith(`${path}/worktrees/`)),
  );

const userConfigs = ({ home, configHome }: PlaceDeps): readonly string[] => [
  join(home, '.gitconfig'),
  join(configHome, 'git', 'config'),
  join(configHome, 'git', 'ignore'),
];

/** Null when the folder itself is no work tree's top: a repository above it is not ours to capture. */
const repoOf = async (
  git: Git,
  root: string,
): Promise<{ readonly gitDir: string; readonly commonDir: string } | null> => {
  if ((await statIfThere(join(root, '.git'))) === null) return null;
  const answer = await runGit(git, {
    cwd: root,
    args: ['rev-parse', '--absolute-git-dir', '--git-common-dir'],
  });
  const [gitDir, common] = answer.stdout.toString('utf8').split('\n');
  if (answer.code !== 0 || !gitDir || !common) return null;
  const commonDir = await realPathIfThere(isAbsolute(common) ? common : join(root, common));
  return commonDir === null ? null : { gitDir, commonDir };
};

/** The folders themselves; what lies in them is fine. */
const isUnsafe = ({ home, tempDirs }: PlaceDeps, root: string): boolean =>
  root === '/' || tempDirs.includes(root) || `${home}/`.startsWith(`${root}/`);

/** Git's own rules for where the user's ignore file is; the repository's config may name another one. */
const userExcludes = async ({ git, home, configHome }: PlaceDeps, root: string): Promise<string | null> => {
  for (const global of [join(home, '.gitconfig'), join(configHome, 'git', 'config')]) {
    const answer = await runGit(git, {
      cwd: root,
      args: ['config', '--get', '--path', 'core.excludesFile'],
      env: { GIT_CONFIG_GLOBAL: global, HOME: home },
    });
    const path = answer.stdout.toString('utf8').replace(/\n$/, '');
    // A repository may name what never ends (a device, a pipe).
    if (answer.code === 0 && isAbsolute(path) && (await isRegularFile(path))) return path;
  }
  const usual = join(configHome, 'git', 'ignore');
  return (await isRegularFile(usual)) ? usual : null;
};

/** Git reads rules into memory as a whole. */
const MAX_RULE_BYTES = 16 * 1024 * 1024;

const isRegularFile = async (path: string): Promise<boolean> => {
  const real = await realPathIfThere(path);
  const stat = real === null ? null : await statIfThere(real);
  return stat?.isFile() === true && Number(stat.size) <= MAX_RULE_BYTES;
};

const textOfFile = async (path: string): Promise<string> => {
  const bytes = await readFileIfThere(path);
  return bytes === null ? '' : Buffer.from(bytes).toString('latin1');
};

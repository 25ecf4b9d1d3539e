/** A tree store on real folders, with real git beside it to compare with. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findGit, type Git } from '../../src/platform/git.ts';
import { newName } from '../../src/platform/ids.ts';
import {
  openTreeStore,
  type TreeStore,
  type TreeStoreDeps,
  type WorkTreeOutcome,
} from '../../src/snapshots/trees/open-tree-store.ts';
import type { Capture, WorkTree } from '../../src/snapshots/trees/types.ts';

export interface TreeBench extends AsyncDisposable {
  readonly root: string;
  readonly dataDir: string;
  readonly home: string;
  readonly git: Git;
  readonly path: (name: string) => string;
  readonly tree: () => Promise<WorkTree>;
  readonly capture: () => Promise<Capture>;
  /** Opens another folder in the same store. */
  readonly open: (root: string) => Promise<WorkTreeOutcome>;
  /** Forgets everything in memory, as another process would begin. */
  readonly reopen: (more?: Partial<TreeStoreDeps>) => Promise<void>;
  readonly faults: readonly unknown[];
  /** Runs the user's own git in the work tree. */
  readonly userGit: (...args: readonly string[]) => string;
  /** The id of the tree that git itself would write of the work tree. */
  readonly treeByGit: (also?: 'with what is tracked') => string;
  /** Paths in the tree of a capture, as git reads it out of the store. */
  readonly pathsIn: (capture: Capture) => Promise<readonly string[]>;
  /** Runs git on the store. */
  readonly storeGit: (...args: readonly string[]) => Promise<string>;
}

const mustFindGit = async (): Promise<Git> => {
  const git = await findGit(process.env['PATH'] ?? '');
  if (git === null) throw new Error('These tests need git.');
  return git;
};

export const createTreeBench = async (
  options: { readonly isRepo?: boolean; readonly deps?: Partial<TreeStoreDeps> } = {},
): Promise<TreeBench> => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'skein-trees-')));
  const [root, dataDir, home] = ['work', 'data', 'home'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const dir of [root, dataDir, home]) mkdirSync(dir);
  const git = await mustFindGit();
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  const userGit = (...args: readonly string[]): string =>
    execFileSync(git.path, ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  if (options.isRepo !== false) userGit('init', '-q', '-b', 'main');
  const faults: unknown[] = [];
  let reposDir = join(dataDir, 'snapshots', 'repos');
  const open = (more: Partial<TreeStoreDeps> = {}): TreeStore =>
    openTreeStore({
      git,
      nowMs: Date.now,
      newName,
      watch: false,
      maxFileBytes: 64 * 1024 * 1024,
      minFreeBytes: 0,
      onFault: (error) => faults.push(error),
      reposDir,
      place: { home, configHome: join(home, '.config'), tempDirs: [dirname(base)] },
      own: [dataDir],
      ...options.deps,
      ...more,
    });
  let store = open();
  const tree = async (): Promise<WorkTree> => {
    const opened = await store.open(root);
    if (opened.kind !== 'open') throw new Error(`not captured: ${opened.kind}`);
    return opened.tree;
  };
  const storeGit = async (...args: readonly string[]): Promise<string> => {
    const gitDir = join(reposDir, `${(await tree()).key}.git`);
    return execFileSync(git.path, ['--git-dir', gitDir, ...args], {
      env,
      encoding: 'latin1',
      maxBuffer: 1e9,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  return {
    root,
    dataDir,
    home,
    git,
    faults,
    userGit,
    path: (name) => join(root, name),
    tree,
    open: (other) => store.open(other),
    capture: async () => (await tree()).capture(),
    async reopen(more) {
      await store.close();
      reposDir = more?.reposDir ?? reposDir;
      store = open(more);
    },
    treeByGit(also) {
      const scratch = join(base, 'by-git');
      const call = (...args: readonly string[]): string =>
        execFileSync(
          git.path,
          ['-c', 'core.autocrlf=false', '--git-dir', scratch, '--work-tree', root, ...args],
          { cwd: root, env, encoding: 'utf8' },
        ).trim();
      if (!existsSync(scratch)) execFileSync(git.path, ['init', '-q', '--bare', scratch], { env });
      rmSync(join(scratch, 'index'), { force: true });
      call('add', '-A');
      const tracked =
        also === undefined ? '' : userGit('ls-files', '-z', '--cached', '--ignored', '--exclude-standard');
      const there = tracked.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
      if (there.length > 0) call('add', '-f', '--', ...there);
      return call('write-tree');
    },
    storeGit,
    async pathsIn(capture) {
      const listed = await storeGit('ls-tree', '-r', '-z', '--name-only', capture.commit);
      return listed.split('\0').filter((path) => path !== '');
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
};

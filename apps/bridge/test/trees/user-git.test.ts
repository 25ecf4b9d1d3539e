import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newRecordId, newStrandId } from '../../src/platform/ids.ts';
import { during } from './diffs.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

/** Content, names and modes of everything below a folder. */
const hashOf = (folder: string): string => {
  const hash = createHash('sha256');
  const visit = (path: string): void => {
    for (const name of readdirSync(path).sort()) {
      const inside = join(path, name);
      const stat = lstatSync(inside);
      hash.update(`${inside}\0${stat.mode.toString(8)}\0`);
      if (stat.isDirectory()) visit(inside);
      else hash.update(stat.isSymbolicLink() ? readlinkSync(inside) : readFileSync(inside));
    }
  };
  visit(folder);
  return hash.digest('hex');
};

const withCommits = async (bench: TreeBench): Promise<void> => {
  writeFileSync(bench.path('a'), 'a');
  writeFileSync(bench.path('.gitignore'), 'ignored\n');
  bench.userGit('add', '-A');
  bench.userGit('commit', '-qm', 'one');
  writeFileSync(bench.path('a'), 'staged');
  bench.userGit('add', 'a');
  writeFileSync(bench.path('a'), 'not staged');
  writeFileSync(bench.path('.env.local'), 'a secret that was never committed');
  bench.userGit('add', '-N', '.env.local');
};

const pinned = async (bench: TreeBench) => {
  const tree = await bench.tree();
  const { from, to } = await during(tree, () => writeFileSync(bench.path('b'), 'made by the turn'));
  await tree.pin({ strand: newStrandId(), turn: newRecordId() }, [from, to]);
  return { tree, from, to };
};

test("the user's .git is the same before and after everything", async () => {
  await using bench = await createTreeBench({ deps: { watch: true } });
  await withCommits(bench);
  const before = hashOf(bench.path('.git'));
  const { tree } = await pinned(bench);
  await tree.audit();
  await bench.reopen();
  await bench.capture();
  expect(hashOf(bench.path('.git'))).toBe(before);
});

test('nothing of a capture can be pushed, cloned, bundled or listed from the repository', async () => {
  await using bench = await createTreeBench();
  await withCommits(bench);
  const { from } = await pinned(bench);
  const secret = bench.userGit('hash-object', '.env.local');
  expect(await bench.storeGit('cat-file', 'blob', secret)).toContain('a secret');
  const [mirror, clone, bundle] = ['mirror', 'clone', 'all.bundle'].map((name) => join(bench.home, name)) as [
    string,
    string,
    string,
  ];
  bench.userGit('init', '-q', '--bare', mirror);
  bench.userGit('push', '-q', '--mirror', mirror);
  bench.userGit('clone', '-q', '--mirror', '.', clone);
  bench.userGit('bundle', 'create', '-q', bundle, '--all');
  expect(bench.userGit('log', '--all', '--format=%s')).toBe('one');
  for (const copy of [mirror, clone]) {
    expect(bench.userGit('-C', copy, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    for (const object of [secret, from.commit]) {
      expect(() => bench.userGit('-C', copy, 'cat-file', '-e', object)).toThrow();
    }
  }
  expect(() => bench.userGit('cat-file', '-e', secret)).toThrow();
});

test('captures outlive whatever the user does to the repository', async () => {
  await using bench = await createTreeBench();
  await withCommits(bench);
  const { from, to } = await pinned(bench);
  const store = join(bench.dataDir, 'snapshots/repos', `${(await bench.tree()).key}.git`);
  const gitOnStore = (...args: string[]): string =>
    execFileSync(bench.git.path, ['--git-dir', store, ...args], { encoding: 'utf8', stdio: 'pipe' });
  const expectReadable = (): void => {
    for (const { commit } of [from, to]) {
      gitOnStore('rev-list', '--objects', '--quiet', commit);
      expect(gitOnStore('cat-file', 'blob', `${commit}:.env.local`)).toContain('a secret');
      expect(gitOnStore('cat-file', 'blob', `${commit}:a`)).toBe('not staged');
    }
  };
  bench.userGit('reset', '-q', '--hard');
  bench.userGit('reflog', 'expire', '--expire=now', '--all');
  bench.userGit('gc', '-q', '--prune=now', '--aggressive');
  expectReadable();
  expect(gitOnStore('fsck', '--full', '--strict')).toBe('');
  gitOnStore('gc', '-q', '--prune=now');
  expectReadable();
  rmSync(bench.path('.git'), { recursive: true });
  expectReadable();
  // Without git it is a plain folder, with a store of its own.
  expect(await bench.pathsIn(await bench.capture())).toEqual(['.gitignore', 'a', 'b']);
});

test('a store is for its owner alone', async () => {
  await using bench = await createTreeBench();
  await withCommits(bench);
  await pinned(bench);
  const open = execFileSync('find', [join(bench.dataDir, 'snapshots'), '-perm', '/077'], {
    encoding: 'utf8',
  });
  expect(open).toBe('');
});

test('variables of git in our environment change nothing', async () => {
  await using bench = await createTreeBench();
  await withCommits(bench);
  const victim = join(bench.home, 'victim');
  bench.userGit('init', '-q', victim);
  const before = hashOf(join(victim, '.git'));
  const names = ['GIT_DIR', 'GIT_INDEX_FILE', 'GIT_WORK_TREE', 'GIT_OBJECT_DIRECTORY', 'GIT_COMMON_DIR'];
  for (const name of names)
    process.env[name] = join(victim, '.git', name === 'GIT_INDEX_FILE' ? 'index' : '');
  try {
    const { key } = await bench.tree();
    const capture = await bench.capture();
    for (const name of names) delete process.env[name];
    await bench.reopen();
    expect((await bench.tree()).key).toBe(key);
    expect(await bench.pathsIn(capture)).toEqual(['.env.local', '.gitignore', 'a']);
  } finally {
    for (const name of names) delete process.env[name];
  }
  expect(hashOf(join(victim, '.git'))).toBe(before);
});

test('captures that change nothing add nothing to the store', async () => {
  await using bench = await createTreeBench();
  await withCommits(bench);
  const first = await bench.capture();
  const packs = readdirSync(
    join(bench.dataDir, 'snapshots/repos', `${(await bench.tree()).key}.git`, 'objects/pack'),
  );
  for (let at = 0; at < 3; at += 1) expect((await bench.capture()).commit).toBe(first.commit);
  expect(
    readdirSync(join(bench.dataDir, 'snapshots/repos', `${(await bench.tree()).key}.git`, 'objects/pack')),
  ).toEqual(packs);
  mkdirSync(bench.path('empty'));
  expect((await bench.capture()).commit).toBe(first.commit);
  expect(existsSync(bench.path('.git/skein'))).toBe(false);
});

test('neither the configuration of the user nor variables of the environment reach git', async () => {
  await using bench = await createTreeBench();
  await withCommits(bench);
  writeFileSync(join(bench.home, '.gitconfig'), '[this is no configuration');
  const asked = {
    HOME: bench.home,
    GIT_DIR: join(bench.home, 'nowhere'),
    GIT_INDEX_FILE: join(bench.home, 'index'),
  };
  const before = Object.keys(asked).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, asked);
  let commit = '';
  try {
    await bench.reopen();
    writeFileSync(bench.path('new'), 'new');
    ({ commit } = await bench.capture());
  } finally {
    rmSync(join(bench.home, '.gitconfig'));
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  expect((await bench.storeGit('ls-tree', '-r', '--name-only', commit)).split('\n')).toContain('new');
});

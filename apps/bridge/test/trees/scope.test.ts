import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { leftOutOf } from './diffs.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

const put = (bench: TreeBench, name: string, text = name): void => {
  mkdirSync(dirname(bench.path(name)), { recursive: true });
  writeFileSync(bench.path(name), text);
};

test('ignored files are left out as git leaves them out, by every kind of rule', async () => {
  await using bench = await createTreeBench();
  put(bench, '.gitignore', '*.log\n!keep.log\nbuild/\n/only-root\ndeep/**/x\n');
  put(bench, 'sub/.gitignore', '!wanted.log\nlocal\n');
  writeFileSync(bench.path('.git/info/exclude'), 'by-info\n');
  mkdirSync(join(bench.home, '.config/git'), { recursive: true });
  writeFileSync(join(bench.home, '.config/git/ignore'), 'by-user\n');
  for (const name of ['a.log', 'keep.log', 'build/out', 'only-root', 'sub/only-root', 'deep/a/b/x', 'deep/y'])
    put(bench, name);
  for (const name of ['sub/wanted.log', 'sub/other.log', 'sub/local', 'by-info', 'by-user', 'x/build/y']) {
    put(bench, name);
  }
  symlinkSync('nowhere', bench.path('sub/build'));
  const paths = await bench.pathsIn(await bench.capture());
  const byGit = bench.userGit(
    '-c',
    `core.excludesFile=${join(bench.home, '.config/git/ignore')}`,
    'ls-files',
    '-co',
    '--exclude-standard',
  );
  expect(paths).toEqual(byGit.split('\n').sort());
  expect(paths).toContain('sub/wanted.log');
  expect(paths).not.toContain('by-user');
});

test("the user's own excludes file is the one that git would take", async () => {
  await using bench = await createTreeBench();
  writeFileSync(join(bench.home, 'mine'), 'by-global\n');
  writeFileSync(join(bench.home, '.gitconfig'), '[core]\n\texcludesFile = ~/mine\n');
  for (const name of ['by-global', 'by-repo', 'b']) put(bench, name);
  expect(await bench.pathsIn(await bench.capture())).toEqual(['b', 'by-repo']);
  writeFileSync(join(bench.home, 'theirs'), 'by-repo\n');
  bench.userGit('config', 'core.excludesFile', join(bench.home, 'theirs'));
  expect(await bench.pathsIn(await bench.capture())).toEqual(['b', 'by-global']);
  // One that never ends is no excludes file.
  bench.userGit('config', 'core.excludesFile', '/dev/zero');
  expect(await bench.pathsIn(await bench.capture())).toEqual(['b', 'by-global', 'by-repo']);
});

test('what is tracked although ignored stays in every capture', async () => {
  await using bench = await createTreeBench();
  put(bench, '.gitignore', 'cache/\n*.gen\n');
  put(bench, 'cache/tracked');
  put(bench, 'cache/other');
  put(bench, 'x.gen');
  bench.userGit('add', '-f', 'cache/tracked', 'x.gen');
  const paths = ['.gitignore', 'cache/tracked', 'x.gen'];
  expect(await bench.pathsIn(await bench.capture())).toEqual(paths);
  // Ignored only now, by a rule of this very turn.
  put(bench, 'later');
  bench.userGit('add', 'later');
  await bench.capture();
  put(bench, '.gitignore', 'cache/\n*.gen\nlater\n');
  expect(await bench.pathsIn(await bench.capture())).toEqual([...paths.slice(0, 2), 'later', 'x.gen']);
  bench.userGit('rm', '-q', '--cached', 'x.gen');
  expect(await bench.pathsIn(await bench.capture())).toEqual([...paths.slice(0, 2), 'later']);
});

test('an ignored .gitignore is in force and not captured', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('.git/info/exclude'), '.gitignore\n');
  put(bench, 'd/.gitignore', 'hidden\n');
  put(bench, 'd/hidden');
  put(bench, 'd/f');
  expect(await bench.pathsIn(await bench.capture())).toEqual(['d/f']);
});

test('pipes, sockets and what may not be read are left out and named, unless they are ignored', async () => {
  await using bench = await createTreeBench();
  put(bench, 'a');
  put(bench, '.gitignore', 'ignored.*\n');
  execFileSync('/usr/bin/mkfifo', [bench.path('pipe'), bench.path('ignored.pipe')]);
  const server = createServer().listen(bench.path('socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  const capture = await bench.capture();
  expect(await bench.pathsIn(capture)).toEqual(['.gitignore', 'a']);
  expect(leftOutOf(capture)).toEqual({ pipe: 'special', socket: 'special' });
  rmSync(bench.path('pipe'));
  put(bench, 'pipe', 'a file now');
  await new Promise((resolve) => server.close(resolve));
  const later = await bench.capture();
  expect(await bench.pathsIn(later)).toEqual(['.gitignore', 'a', 'pipe']);
  expect(leftOutOf(later)).toEqual({});
});

test('a pipe in the place of rules blocks nobody', async () => {
  await using bench = await createTreeBench({ deps: { watch: true } });
  put(bench, 'a');
  put(bench, 'd/f');
  put(bench, 'd/.gitignore', '');
  await bench.capture();
  rmSync(bench.path('d/.gitignore'));
  execFileSync('/usr/bin/mkfifo', [bench.path('d/.gitignore')]);
  const capture = await bench.capture();
  expect(await bench.pathsIn(capture)).toEqual(['a']);
  expect(leftOutOf(capture)).toEqual({ d: 'special' });
  rmSync(bench.path('d/.gitignore'));
  expect(await bench.pathsIn(await bench.capture())).toEqual(['a', 'd/f']);
  execFileSync('/usr/bin/mkfifo', [bench.path('.gitignore')]);
  await expect(bench.capture()).rejects.toMatchObject({ code: 'io' });
});

const NOBODY = 65534;

test.runIf(process.getuid?.() === 0)(
  'what we may not read is left out and comes back when we may',
  async () => {
    await using bench = await createTreeBench({ isRepo: false, deps: { watch: true } });
    for (const name of ['a', 'secret', 'closed/f', 'listed/f']) put(bench, name);
    for (const path of ['', 'data', 'home', 'work'])
      chownSync(join(dirname(bench.root), path), NOBODY, NOBODY);
    execFileSync('/bin/chown', ['-R', `${NOBODY}:${NOBODY}`, bench.root]);
    chmodSync(bench.path('secret'), 0);
    chmodSync(bench.path('closed'), 0);
    // May be listed, but nothing in it looked at.
    chmodSync(bench.path('listed'), 0o444);
    process.seteuid?.(NOBODY);
    try {
      const capture = await bench.capture();
      expect(leftOutOf(capture)).toEqual({
        secret: 'unreadable',
        closed: 'unreadable',
        'listed/f': 'unreadable',
      });
      expect((await bench.capture()).isFull).toBe(false);
      for (const [name, mode] of Object.entries({ secret: 0o600, closed: 0o700, listed: 0o755 }))
        chmodSync(bench.path(name), mode);
      const later = await bench.capture();
      expect(leftOutOf(later)).toEqual({});
      expect(await bench.pathsIn(later)).toEqual(['a', 'closed/f', 'listed/f', 'secret']);
      chmodSync(bench.path('secret'), 0);
      expect(leftOutOf(await bench.capture())).toEqual({ secret: 'unreadable' });
    } finally {
      process.seteuid?.(0);
    }
  },
);

test('a folder without git leaves out what is made, and our own folders wherever they lie', async () => {
  await using bench = await createTreeBench({ isRepo: false });
  for (const name of [
    'src/a',
    'node_modules/m/x',
    'dist/o',
    'src/build/o',
    'target/t',
    '.hg/h',
    '.gitignore',
  ])
    put(bench, name, name === '.gitignore' ? '*.tmp\n' : name);
  put(bench, 'b.tmp');
  const data = bench.path('data');
  await bench.reopen({ reposDir: join(data, 'snapshots/repos'), own: [data] });
  const capture = await bench.capture();
  const again = await bench.capture();
  expect(again.tree).toBe(capture.tree);
  expect(readdirSync(bench.path('data/snapshots/repos'))).toHaveLength(1);
  expect(await bench.pathsIn(again)).toEqual(['.gitignore', 'src/a']);
});

test('home, file system root and temp folders are refused without git, what lies in them is not', async () => {
  await using bench = await createTreeBench({ isRepo: false });
  for (const root of [bench.home, dirname(bench.home), '/', dirname(dirname(bench.root))])
    expect(await bench.open(root)).toEqual({ kind: 'unsafe' });
  mkdirSync(join(bench.home, 'project'));
  expect((await bench.open(join(bench.home, 'project'))).kind).toBe('open');
});

test('a subfolder of a repository is captured by itself, with rules of its own only', async () => {
  await using bench = await createTreeBench();
  put(bench, '.gitignore', 'x\n');
  put(bench, 'sub/x');
  const opened = await bench.open(bench.path('sub'));
  if (opened.kind !== 'open') throw new Error(opened.kind);
  const capture = await opened.tree.capture();
  expect(opened.tree.key).not.toBe((await bench.tree()).key);
  const store = join(bench.dataDir, 'snapshots/repos', `${opened.tree.key}.git`);
  const listed = execFileSync(bench.git.path, ['--git-dir', store, 'ls-tree', '--name-only', capture.tree]);
  expect(listed.toString()).toBe('x\n');
});

test('an unborn branch, a split index and a sparse checkout change nothing', async () => {
  await using bench = await createTreeBench();
  for (const name of ['a', 'b/c', 'd/e']) put(bench, name);
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
  bench.userGit('add', '-A');
  bench.userGit('commit', '-qm', 'one');
  bench.userGit('update-index', '--split-index');
  const names = readdirSync(bench.path('.git'));
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
  expect(readdirSync(bench.path('.git'))).toEqual(names);
  bench.userGit('sparse-checkout', 'set', '--sparse-index', 'b');
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
});

test('linked worktrees share one store and stay apart', async () => {
  await using bench = await createTreeBench();
  put(bench, 'a');
  bench.userGit('add', '-A');
  bench.userGit('commit', '-qm', 'one');
  const linked = join(bench.home, 'linked');
  bench.userGit('worktree', 'add', '-q', linked);
  writeFileSync(join(linked, 'only-here'), 'x');
  const main = await bench.tree();
  const opened = await bench.open(linked);
  if (opened.kind !== 'open') throw new Error(opened.kind);
  expect(opened.tree.key).toBe(main.key);
  const [one, two] = [await main.capture(), await opened.tree.capture()];
  expect(await bench.pathsIn(one)).toEqual(['a']);
  expect(await bench.pathsIn(two)).toEqual(['a', 'only-here']);
  expect(await bench.pathsIn(await main.capture())).toEqual(['a']);
});

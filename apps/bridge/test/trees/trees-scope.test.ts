/** What belongs to a capture and what does not; and that the user's repository never notices. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTreeStore } from '../../src/snapshots/trees/open-tree-store.ts';
import { storeDirOf } from '../../src/snapshots/trees/store-dir.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

const pathsIn = async (bench: TreeBench): Promise<string[]> => {
  const { commit } = await bench.capture();
  const { key } = await bench.tree();
  const { gitDir } = storeDirOf(join(bench.dataDir, 'snapshots', 'repos'), key);
  const listed = execFileSync('git', ['--git-dir', gitDir, 'ls-tree', '-r', '--name-only', '-z', commit], {
    encoding: 'utf8',
  });
  return listed.split('\0').filter((path) => path !== '');
};

/** Content, names and modes of a folder, in one hash for each path. */
const fingerprint = (folder: string): Record<string, string> => {
  const found: Record<string, string> = {};
  const visit = (path: string): void => {
    for (const name of readdirSync(path)) {
      const inside = join(path, name);
      const stat = lstatSync(inside);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isDirectory()) {
        found[inside] = `dir ${mode}`;
        visit(inside);
      } else if (stat.isSymbolicLink()) found[inside] = readlinkSync(inside);
      else found[inside] = `${mode} ${createHash('sha256').update(readFileSync(inside)).digest('hex')}`;
    }
  };
  visit(folder);
  return found;
};

test('ignore rules of every place hold, nested and negated ones too', async () => {
  await using bench = await createTreeBench();
  mkdirSync(bench.path('sub/build'), { recursive: true });
  mkdirSync(bench.path('logs'));
  mkdirSync(join(bench.home, '.config', 'git'), { recursive: true });
  writeFileSync(join(bench.home, '.config', 'git', 'ignore'), '*.mine\n');
  writeFileSync(bench.path('.git/info/exclude'), '*.local\n');
  writeFileSync(bench.path('.gitignore'), '*.log\n!keep.log\nlogs/\n');
  writeFileSync(bench.path('sub/.gitignore'), 'build/\n');
  for (const name of ['a.log', 'keep.log', 'x.local', 'y.mine', 'logs/deep', 'sub/build/out', 'sub/ok'])
    writeFileSync(bench.path(name), name);
  expect(await pathsIn(bench)).toEqual(['.gitignore', 'keep.log', 'sub/.gitignore', 'sub/ok']);
});

test('a file that is tracked although it is ignored belongs to every capture', async () => {
  await using bench = await createTreeBench();
  mkdirSync(bench.path('dist'));
  writeFileSync(bench.path('dist/tracked'), '1');
  writeFileSync(bench.path('dist/other'), '2');
  bench.userGit('add', '-f', 'dist/tracked');
  writeFileSync(bench.path('.gitignore'), 'dist/\n');
  expect(await pathsIn(bench)).toEqual(['.gitignore', 'dist/tracked']);
  bench.userGit('rm', '-q', '--cached', 'dist/tracked');
  expect(await pathsIn(bench)).toEqual(['.gitignore']);
});

const diffOver = async (bench: TreeBench, change: () => void) => {
  const tree = await bench.tree();
  const before = await bench.capture();
  tree.hold(before);
  change();
  const diff = tree.diff(before, await bench.capture());
  if (diff === 'lost') throw new Error('lost');
  return { changes: diff.changes.map(({ path }) => path), unknown: diff.unknown };
};

test('what comes into sight because a rule went was there before: it is unknown, and what is new is new', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('.gitignore'), '.env\nprivate/\n');
  writeFileSync(bench.path('.env'), 'SECRET');
  mkdirSync(bench.path('private'));
  writeFileSync(bench.path('private/key'), 'SECRET');
  const { changes, unknown } = await diffOver(bench, () => {
    writeFileSync(bench.path('.gitignore'), 'nothing\n');
    writeFileSync(bench.path('new'), '1');
  });
  expect(changes.toSorted()).toEqual(['.gitignore', 'new']);
  expect(unknown).toEqual([
    { path: '.env', reason: 'unignored' },
    { path: 'private/key', reason: 'unignored' },
  ]);
});

test('what a new rule hides was not deleted', async () => {
  await using bench = await createTreeBench();
  mkdirSync(bench.path('out'));
  writeFileSync(bench.path('out/a'), '1');
  writeFileSync(bench.path('b.log'), '2');
  const { changes } = await diffOver(bench, () => writeFileSync(bench.path('.gitignore'), 'out/\n*.log\n'));
  expect(changes).toEqual(['.gitignore']);
});

test('an ignore file that is itself ignored still counts when it changes', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('.gitignore'), '.gitignore\n*.log\n');
  writeFileSync(bench.path('a.log'), '1');
  expect(await pathsIn(bench)).toEqual([]);
  writeFileSync(bench.path('.gitignore'), '.gitignore\n');
  expect(await pathsIn(bench)).toEqual(['a.log']);
});

test('other repositories are never entered, whatever their .git is, and are named', async () => {
  await using bench = await createTreeBench();
  for (const name of ['clone', 'empty', 'deep/er']) {
    mkdirSync(bench.path(name), { recursive: true });
    execFileSync('git', ['init', '-q', bench.path(name)]);
    writeFileSync(bench.path(`${name}/x`), '1');
  }
  mkdirSync(bench.path('sub'));
  writeFileSync(bench.path('sub/.git'), 'gitdir: /somewhere/else\n');
  writeFileSync(bench.path('sub/x'), '1');
  writeFileSync(bench.path('own'), '1');
  expect(await pathsIn(bench)).toEqual(['own']);
  const { leftOut } = await bench.capture();
  expect(leftOut.map(({ path, reason }) => `${path} ${reason}`).toSorted()).toEqual([
    'clone nested',
    'deep/er nested',
    'empty nested',
    'sub nested',
  ]);
});

test('a folder that becomes a repository, or stops being one, is neither deleted nor new', async () => {
  await using bench = await createTreeBench();
  mkdirSync(bench.path('sub'));
  writeFileSync(bench.path('sub/x'), '1');
  const begun = await diffOver(bench, () => execFileSync('git', ['init', '-q', bench.path('sub')]));
  expect(begun.changes).toEqual([]);
  expect(begun.unknown).toEqual([{ path: 'sub', reason: 'nested' }]);
  rmSync(bench.path('sub/.git'), { recursive: true });
  expect(await pathsIn(bench)).toEqual(['sub/x']);
});

test('pipes and sockets hold nothing up, and our own folders are never captured', async () => {
  await using bench = await createTreeBench();
  execFileSync('mkfifo', [bench.path('pipe')]);
  writeFileSync(bench.path('x'), '1');
  expect(await pathsIn(bench)).toEqual(['x']);
  await using inside = await createTreeBench({ deps: {} });
  mkdirSync(inside.path('data'));
  await inside.reopen({ own: [inside.path('data')] });
  writeFileSync(inside.path('data/own'), '1');
  writeFileSync(inside.path('y'), '1');
  expect(await pathsIn(inside)).toEqual(['y']);
});

test.skipIf(process.getuid?.() === 0)(
  'what may not be read is left out by name, and was not deleted',
  async () => {
    await using bench = await createTreeBench();
    writeFileSync(bench.path('secret'), '1');
    const { changes, unknown } = await diffOver(bench, () => chmodSync(bench.path('secret'), 0o000));
    expect(changes).toEqual([]);
    expect(unknown).toEqual([{ path: 'secret', reason: 'unreadable' }]);
  },
);

test('a file over the limit is left out by name', async () => {
  await using bench = await createTreeBench({ deps: { maxFileBytes: 1000 } });
  writeFileSync(bench.path('small'), '1');
  writeFileSync(bench.path('large'), Buffer.alloc(1001));
  expect((await bench.capture()).leftOut).toEqual([{ path: 'large', reason: 'too_large' }]);
  expect(await pathsIn(bench)).toEqual(['small']);
});

test('a plain folder is captured without what is made by tools', async () => {
  await using bench = await createTreeBench({ isRepo: false });
  mkdirSync(bench.path('node_modules/x'), { recursive: true });
  writeFileSync(bench.path('node_modules/x/index.js'), '1');
  writeFileSync(bench.path('a'), '1');
  expect(await pathsIn(bench)).toEqual(['a']);
});

test('home, the root of the file system and temp folders are refused where there is no repository', async () => {
  await using bench = await createTreeBench();
  const store = openTreeStore({
    git: bench.git,
    nowMs: Date.now,
    newName: () => 'x',
    watch: false,
    maxFileBytes: 1,
    minFreeBytes: 0,
    onFault: () => undefined,
    reposDir: join(bench.dataDir, 'refused'),
    place: { home: homedir(), configHome: join(homedir(), '.config'), tempDirs: ['/tmp'] },
    own: [],
  });
  for (const root of ['/', '/tmp', homedir()]) expect(await store.open(root)).toEqual({ kind: 'unsafe' });
  expect(existsSync(join(bench.dataDir, 'refused'))).toBe(false);
});

test('a repository without a commit, a linked work tree and a sparse one are captured as they lie', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('a'), '1');
  expect((await bench.capture()).tree).toBe(bench.treeByGit());
  bench.userGit('add', '-A');
  bench.userGit('commit', '-qm', 'one');
  const { key } = await bench.tree();
  const linked = join(bench.home, 'linked');
  bench.userGit('worktree', 'add', '-q', linked);
  const store = openTreeStore({
    git: bench.git,
    nowMs: Date.now,
    newName: () => 'y',
    watch: false,
    maxFileBytes: 1000,
    minFreeBytes: 0,
    onFault: () => undefined,
    reposDir: join(bench.dataDir, 'snapshots', 'repos'),
    place: { home: bench.home, configHome: join(bench.home, '.config'), tempDirs: [] },
    own: [],
  });
  const other = await store.open(linked);
  expect(other.kind === 'open' && other.tree.key, 'one store for both').toBe(key);
  writeFileSync(join(linked, 'only-there'), '1');
  if (other.kind === 'open') await other.tree.capture();
  expect(await pathsIn(bench)).toEqual(['a']);
  await store.close();
});

test('nothing in the user’s .git changes, and nothing of ours leaves with a mirror, a bundle or a log', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('a'), '1');
  bench.userGit('add', '-A');
  bench.userGit('commit', '-qm', 'one');
  bench.userGit('update-index', '--split-index');
  writeFileSync(bench.path('.env'), 'SECRET');
  writeFileSync(bench.path('a'), 'staged');
  bench.userGit('add', 'a');
  writeFileSync(bench.path('a'), 'and changed again');
  const before = fingerprint(bench.path('.git'));
  for (let round = 0; round < 3; round += 1) {
    writeFileSync(bench.path('a'), `round ${round}`);
    const capture = await bench.capture();
    await (await bench.tree()).pin({ strand: 'a00000000001' as never, turn: 't00000000001' as never }, [
      capture,
    ]);
  }
  expect(fingerprint(bench.path('.git'))).toEqual(before);
  const mirror = join(bench.home, 'mirror');
  bench.userGit('clone', '-q', '--mirror', bench.root, mirror);
  expect(
    execFileSync('git', ['-C', mirror, 'for-each-ref', '--format=%(refname)'], { encoding: 'utf8' }),
  ).toBe('refs/heads/main\n');
  expect(bench.userGit('log', '--all', '--format=%s')).toBe('one');
});

test('captures stay whole through the user’s reset, expired reflog, gc and a deleted .git', async () => {
  await using bench = await createTreeBench();
  writeFileSync(bench.path('a'), 'precious');
  bench.userGit('add', '-A');
  bench.userGit('commit', '-qm', 'one');
  const { commit } = await bench.capture();
  const { key } = await bench.tree();
  bench.userGit('update-ref', '-d', 'HEAD');
  bench.userGit('reflog', 'expire', '--expire=now', '--all');
  bench.userGit('gc', '-q', '--prune=now');
  renameSync(bench.path('.git'), join(bench.home, 'gone.git'));
  const { gitDir } = storeDirOf(join(bench.dataDir, 'snapshots', 'repos'), key);
  expect(execFileSync('git', ['--git-dir', gitDir, 'show', `${commit}:a`], { encoding: 'utf8' })).toBe(
    'precious',
  );
  execFileSync('git', ['--git-dir', gitDir, 'fsck', '--full', '--strict', commit]);
});

test('a hostile repository runs nothing: not on opening, not while it is captured', async () => {
  await using bench = await createTreeBench();
  const canary = join(bench.home, 'canary');
  const trap = `sh -c 'touch ${canary}'`;
  for (const [name, value] of Object.entries({
    'core.fsmonitor': trap,
    'core.sshCommand': trap,
    'core.pager': trap,
    'core.editor': trap,
    'diff.external': trap,
    'diff.x.textconv': trap,
    'filter.x.clean': trap,
    'filter.x.smudge': trap,
    'filter.x.process': trap,
    'merge.x.driver': trap,
    'gpg.program': trap,
    'credential.helper': `!${trap}`,
    'alias.check-ignore': `!${trap}`,
    'core.hooksPath': bench.path('hooks'),
  }))
    bench.userGit('config', name, value);
  mkdirSync(bench.path('hooks'));
  for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout', 'pre-commit']) {
    writeFileSync(bench.path(`hooks/${hook}`), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
    writeFileSync(bench.path(`.git/hooks/${hook}`), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  }
  writeFileSync(bench.path('git'), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  writeFileSync(bench.path('.gitattributes'), '* filter=x diff=x merge=x\n');
  writeFileSync(bench.path('a'), 'aaaa');
  await bench.capture();
  writeFileSync(bench.path('a'), 'bbbb');
  await bench.capture();
  await bench.reopen();
  await bench.capture();
  expect(existsSync(canary)).toBe(false);
});

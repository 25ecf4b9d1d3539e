import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test/strands-kit.ts';
import { findGit, type Git, runGit } from './git.ts';
import { parseStatus, repoSnapshot, topLevel } from './git-repo.ts';

const git = await findGit(process.env['PATH'] ?? '');
const found = git as Git;

const inRepo = (cwd: string, ...args: string[]): string =>
  execFileSync(found.path, ['-c', 'user.name=T', '-c', 'user.email=t@example.org', ...args], {
    cwd,
    encoding: 'utf8',
  });

const makeRepo = (path: string): void => {
  mkdirSync(path, { recursive: true });
  inRepo(path, 'init', '-q', '-b', 'main');
  writeFileSync(join(path, 'a.txt'), 'one\n');
  writeFileSync(join(path, 'b.txt'), 'one\n');
  inRepo(path, 'add', '-A');
  inRepo(path, 'commit', '-qm', 'first');
};

test.skipIf(git === null)('branch, commit and changed paths of the repository around a folder', async () => {
  using dir = tempDir();
  makeRepo(dir.path);
  mkdirSync(join(dir.path, 'sub'));
  writeFileSync(join(dir.path, 'a.txt'), 'two\n');
  writeFileSync(join(dir.path, 'sub', 'ä\n"b'), '');
  writeFileSync(Buffer.concat([Buffer.from(`${dir.path}/x`), Buffer.from([0xff])]), '');
  const head = inRepo(dir.path, 'rev-parse', 'HEAD').trim();
  const snapshot = await repoSnapshot(git, join(dir.path, 'sub'));
  expect(snapshot).toMatchObject({ root: dir.path, branch: 'main', head });
  expect(snapshot?.dirty).toEqual(['a.txt', 'sub/', { b64: 'eP8=' }]);
  inRepo(dir.path, 'checkout', '-q', '--detach');
  expect(await repoSnapshot(git, dir.path)).toMatchObject({ branch: null, head });
});

test('a header stays small: at most 50 paths and 2 KiB of them', () => {
  const status = (name: string): Buffer =>
    Buffer.from(Array.from({ length: 400 }, (_, i) => `? ${name}${i}\0`).join(''));
  expect(parseStatus(status('f')).dirty).toHaveLength(50);
  expect(JSON.stringify(parseStatus(status('long'.repeat(50))).dirty).length).toBeLessThan(2200);
});

test.skipIf(git === null)('outside a repository, without git and in an empty one', async () => {
  using dir = tempDir();
  expect(await repoSnapshot(git, dir.path)).toBeNull();
  expect(await repoSnapshot(null, dir.path)).toBeNull();
  inRepo(dir.path, 'init', '-q', '-b', 'main');
  expect(await repoSnapshot(git, dir.path)).toEqual({
    root: dir.path,
    branch: 'main',
    head: null,
    dirty: [],
  });
});

/** TRAPS T13, V2-V4b: everything in a repository's own files that git could run. */
const booby = (repo: string, canary: string): void => {
  const trap = join(repo, 'trap.sh');
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${canary}\ncat\n`);
  chmodSync(trap, 0o755);
  const keys = [
    'core.fsmonitor',
    'core.sshCommand',
    'core.gitProxy',
    'core.pager',
    'core.editor',
    'diff.external',
    'gpg.program',
    'credential.helper',
    'diff.x.textconv',
    'merge.x.driver',
    'filter.x.clean',
    'filter.x.smudge',
    'filter.x.process',
    'filter.a=b.clean',
    'filter.y.z.clean',
  ];
  for (const key of keys) inRepo(repo, 'config', key, trap);
  inRepo(repo, 'config', 'alias.status', `!${trap}`);
  inRepo(repo, 'config', 'filter.y.z.required', 'true');
  const hooks = join(inRepo(repo, 'rev-parse', '--absolute-git-dir').trim(), 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const hook of [
    'post-index-change',
    'reference-transaction',
    'post-checkout',
    'pre-commit',
    'fsmonitor-watchman',
  ]) {
    symlinkSync(trap, join(hooks, hook));
  }
  symlinkSync(trap, join(repo, 'git'));
};

test.skipIf(git === null)('a hostile repository gets nothing run by being looked at', async () => {
  using dir = tempDir();
  const repo = join(dir.path, 'repo');
  const canary = join(dir.path, 'canary');
  makeRepo(repo);
  makeRepo(join(repo, 'inner'));
  writeFileSync(join(repo, '.gitattributes'), 'a.txt filter=x diff=x\nb.txt filter=a=b\n*.md filter=y.z\n');
  writeFileSync(join(repo, 'c.md'), 'one\n');
  inRepo(repo, 'add', '.gitattributes', 'a.txt', 'b.txt', 'c.md');
  inRepo(repo, '-c', 'protocol.file.allow=always', 'submodule', '-q', 'add', './inner', 'module');
  inRepo(repo, 'commit', '-qm', 'second');
  booby(repo, canary);
  booby(join(repo, 'module'), canary);
  // A filter that only the submodule knows: the list of names to switch off was read from the repository above.
  inRepo(join(repo, 'module'), 'config', 'filter.m.clean', join(repo, 'module', 'trap.sh'));
  writeFileSync(join(repo, '.git', 'modules', 'module', 'info', 'attributes'), 'a.txt filter=m\n');
  // Same size as before: only reading the file, through the filter, could tell (V4b).
  for (const name of ['a.txt', 'b.txt', 'c.md', 'module/a.txt']) writeFileSync(join(repo, name), 'two\n');
  const indexBefore = readdirSync(join(repo, '.git')).sort();

  expect((await repoSnapshot(git, repo))?.dirty).toEqual(expect.arrayContaining(['a.txt', 'b.txt', 'c.md']));
  expect(await topLevel(git, join(repo, 'module'))).toBe(join(repo, 'module'));
  expect(existsSync(canary)).toBe(false);
  expect(readdirSync(join(repo, '.git')).sort()).toEqual(indexBefore);
  // The traps do work: git without the recipe runs them.
  execFileSync(found.path, ['status'], { cwd: repo, stdio: 'pipe' });
  expect(existsSync(canary)).toBe(true);
});

test.skipIf(git === null)('a repository cannot widen itself to the whole disk', async () => {
  using dir = tempDir();
  makeRepo(join(dir.path, 'repo'));
  inRepo(join(dir.path, 'repo'), 'config', 'core.worktree', '/');
  expect(await topLevel(git, join(dir.path, 'repo'))).toBeNull();
});

test.skipIf(git === null)('GIT variables of our own environment do not reach git', async () => {
  using dir = tempDir();
  makeRepo(join(dir.path, 'one'));
  makeRepo(join(dir.path, 'two'));
  process.env['GIT_DIR'] = join(dir.path, 'two', '.git');
  try {
    expect(await topLevel(git, join(dir.path, 'one'))).toBe(join(dir.path, 'one'));
    const result = await runGit(found, {
      cwd: join(dir.path, 'one'),
      args: ['rev-parse', '--absolute-git-dir'],
    });
    expect(result.stdout.toString().trim()).toBe(join(dir.path, 'one', '.git'));
  } finally {
    delete process.env['GIT_DIR'];
  }
});

test('git is looked for in absolute folders only', async () => {
  expect(await findGit('.:bin::relative/bin')).toBeNull();
});

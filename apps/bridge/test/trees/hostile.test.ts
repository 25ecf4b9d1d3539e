import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { during } from './diffs.ts';
import { createTreeBench, type TreeBench } from './tree-bench.ts';

const HOOKS = [
  'applypatch-msg',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'pre-commit',
  'pre-auto-gc',
  'post-rewrite',
  'reference-transaction',
  'fsmonitor-watchman',
];

/** Everything in a repository that may name a program names one that leaves a trace. */
const setTraps = (bench: TreeBench, canaries: string): void => {
  mkdirSync(canaries);
  const script = (name: string): string => {
    const path = join(canaries, `${name}.sh`);
    writeFileSync(path, `#!/bin/sh\ntouch '${canaries}/fired-${name}'\ncat\n`, { mode: 0o755 });
    return path;
  };
  const git = bench.userGit;
  writeFileSync(bench.path('.gitattributes'), '* filter=x diff=x merge=x text ident\n');
  writeFileSync(bench.path('tracked'), 'same size 1');
  git('add', '-A');
  git('commit', '-qm', 'one');
  for (const hook of HOOKS) {
    const path = bench.path(`.git/hooks/${hook}`);
    writeFileSync(path, `#!/bin/sh\ntouch '${canaries}/fired-hook-${hook}'\n`);
    chmodSync(path, 0o755);
  }
  const keys = ['core.fsmonitor', 'core.sshCommand', 'core.gitProxy', 'core.pager', 'core.editor'];
  keys.push('diff.external', 'diff.x.textconv', 'filter.x.clean', 'filter.x.smudge', 'filter.x.process');
  keys.push(
    'merge.x.driver',
    'gpg.program',
    'credential.helper',
    'core.askPass',
    'uploadpack.packObjectsHook',
  );
  for (const key of keys) git('config', key, script(key));
  for (const name of ['status', 'check-ignore', 'ls-files', 'rev-parse', 'cat-file'])
    git('config', `alias.${name}`, `!${script(`alias-${name}`)}`);
  git('config', 'filter.x.required', 'true');
  git('config', 'core.untrackedCache', 'true');
  const included = join(canaries, 'included');
  writeFileSync(included, `[core]\n\tfsmonitor = ${script('included')}\n\thooksPath = ${canaries}\n`);
  git('config', 'include.path', included);
  for (const name of ['git', 'sh', 'check-ignore', 'git-check-ignore']) {
    writeFileSync(bench.path(name), `#!/bin/sh\ntouch '${canaries}/fired-${name}'\n`, { mode: 0o755 });
  }
  // A bare repository inside, with traps of its own.
  mkdirSync(bench.path('bare/hooks'), { recursive: true });
  for (const name of ['objects', 'refs']) mkdirSync(bench.path(`bare/${name}`));
  writeFileSync(bench.path('bare/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(bench.path('bare/config'), `[core]\n\tbare = true\n\tfsmonitor = ${script('bare')}\n`);
  writeFileSync(bench.path('.gitmodules'), '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c touch% fired\n');
};

const fired = (canaries: string): string[] =>
  readdirSync(canaries).filter((name) => name.startsWith('fired'));

const work = async (bench: TreeBench): Promise<void> => {
  const tree = await bench.tree();
  const { to, from } = await during(tree, () => {
    writeFileSync(bench.path('tracked'), 'same size 2');
    writeFileSync(bench.path('new'), 'new');
    writeFileSync(bench.path('.gitignore'), 'ignored\n');
  });
  expect(to.tree).not.toBe(from.tree);
  await tree.audit();
  await bench.reopen();
  await bench.capture();
};

test('a hostile repository runs nothing', async () => {
  await using bench = await createTreeBench({ deps: { watch: true } });
  const canaries = join(bench.home, 'canaries');
  setTraps(bench, canaries);
  // The traps work: without them this test would say nothing.
  expect(() => bench.userGit('status')).toThrow(/filter/);
  expect(fired(canaries)).not.toEqual([]);
  for (const name of fired(canaries)) rmSync(join(canaries, name));
  await work(bench);
  expect(fired(canaries)).toEqual([]);
  expect(existsSync(bench.path('fired'))).toBe(false);
});

test('a .git that leads to another repository captures this folder, and writes nothing there', async () => {
  await using bench = await createTreeBench({ isRepo: false });
  const victim = join(bench.home, 'victim');
  bench.userGit('init', '-q', victim);
  const canaries = join(bench.home, 'canaries');
  setTraps(
    {
      ...bench,
      path: (name) => join(victim, name),
      userGit: (...args) => bench.userGit('-C', victim, ...args),
    },
    canaries,
  );
  bench.userGit('-C', victim, 'config', 'core.worktree', victim);
  for (const name of fired(canaries)) rmSync(join(canaries, name));
  const before = readdirSync(join(victim, '.git')).sort();
  writeFileSync(bench.path('.git'), `gitdir: ${victim}/.git\n`);
  writeFileSync(bench.path('mine'), 'mine');
  expect(await bench.pathsIn(await bench.capture())).toEqual(['mine']);
  rmSync(bench.path('.git'));
  symlinkSync(join(victim, '.git'), bench.path('.git'));
  expect(await bench.pathsIn(await bench.capture())).toEqual(['mine']);
  rmSync(bench.path('.git'));
  mkdirSync(bench.path('.git/refs'), { recursive: true });
  writeFileSync(bench.path('.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(bench.path('.git/commondir'), `${victim}/.git\n`);
  expect(await bench.pathsIn(await bench.capture())).toEqual(['mine']);
  expect(fired(canaries)).toEqual([]);
  expect(readdirSync(join(victim, '.git')).sort()).toEqual(before);
});

test.each(['garbage\n', '', 'gitdir: /nowhere\n'])(
  'a .git that is no repository (%j) makes a plain folder',
  async (text) => {
    await using bench = await createTreeBench({ isRepo: false });
    writeFileSync(bench.path('.git'), text);
    writeFileSync(bench.path('f'), 'f');
    expect(await bench.pathsIn(await bench.capture())).toEqual(['f']);
  },
);

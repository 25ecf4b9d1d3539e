/** What commands change is undone through the product's own command line, also where little of it works. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSandbox, runCommand, type Sandbox } from './bridge-process.ts';

interface RunJson {
  readonly strand: string;
  readonly turn: string;
  readonly files: readonly { path: string; status: string; by: string }[];
  readonly coverage: { level: string; reasons: readonly string[] };
}

const jsonOf = async (sandbox: Sandbox, args: readonly string[], input = ''): Promise<unknown> => {
  const { code, stdout, stderr } = await runCommand(sandbox, [...args, '--json'], input);
  expect(code, stdout + stderr).toBe(0);
  return JSON.parse(stdout);
};

const run = async (sandbox: Sandbox, script: string, cwd = sandbox.workspace): Promise<RunJson> =>
  (await jsonOf(sandbox, ['run', '--cwd', cwd, '--agent', 'script', '-'], script)) as RunJson;

const file = (sandbox: Sandbox, path: string): string => readFileSync(join(sandbox.workspace, path), 'utf8');

const git = (sandbox: Sandbox, ...args: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@x', ...args], { cwd: sandbox.workspace });
};

test('a command that changes, makes and deletes files is undone, redone, diffed and shown as it was', async () => {
  using sandbox = makeSandbox();
  git(sandbox, 'init', '-q');
  writeFileSync(join(sandbox.workspace, 'a.txt'), 'one\n');
  writeFileSync(join(sandbox.workspace, 'gone.txt'), 'gone\n');
  const turn = await run(sandbox, 'sh echo two >> a.txt; rm gone.txt; mkdir -p x/y; echo new > x/y/z');
  expect(turn.coverage).toEqual({ level: 'full', reasons: [] });
  const { strand } = turn;
  expect((await runCommand(sandbox, ['diff', strand])).stdout).toMatch(/\+two/);
  expect(await jsonOf(sandbox, ['undo', strand, '--scope', 'files'])).toMatchObject({ applied: true });
  expect(file(sandbox, 'a.txt')).toBe('one\n');
  expect(file(sandbox, 'gone.txt')).toBe('gone\n');
  expect(existsSync(join(sandbox.workspace, 'x'))).toBe(false);
  expect(await jsonOf(sandbox, ['redo', strand])).toMatchObject({ applied: true });
  expect(file(sandbox, 'x/y/z')).toBe('new\n');
  expect((await runCommand(sandbox, ['cat', 'a.txt', '-s', strand, '--at', turn.turn])).stdout).toBe(
    'one\ntwo\n',
  );
  const usage = (await jsonOf(sandbox, ['store', 'du'])) as {
    stores: { workspace: string; turns: number }[];
  };
  expect(usage.stores).toMatchObject([{ workspace: sandbox.workspace, turns: 1 }]);
});

test('parts come back by path and by hunk, and a conflict is settled by a choice', async () => {
  using sandbox = makeSandbox();
  const lines = (changed: Readonly<Record<number, string>>): string =>
    Array.from({ length: 9 }, (_, at) => `${changed[at] ?? at}\n`).join('');
  writeFileSync(join(sandbox.workspace, 'f'), lines({}));
  const { strand } = await run(sandbox, `write f ${JSON.stringify(lines({ 1: 'A', 7: 'B' }))}\nwrite g new`);
  const preview = (await jsonOf(sandbox, ['undo', strand, '--scope', 'files', '--dry-run'])) as {
    files: { path: string; hunks: { id: string }[] }[];
  };
  const [first] = preview.files.find(({ path }) => path === 'f')?.hunks ?? [];
  await jsonOf(sandbox, ['undo', strand, '--hunk', first?.id ?? '']);
  expect(file(sandbox, 'f')).toBe(lines({ 7: 'B' }));
  await jsonOf(sandbox, ['undo', strand, '--path', 'g']);
  expect(existsSync(join(sandbox.workspace, 'g'))).toBe(false);
  writeFileSync(join(sandbox.workspace, 'f'), lines({ 7: 'mine' }));
  const refused = await runCommand(sandbox, ['undo', strand, '--scope', 'files']);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain('--choose f=mine|before|markers');
  await jsonOf(sandbox, ['undo', strand, '--scope', 'files', '--choose', 'f=before']);
  expect(file(sandbox, 'f')).toBe(lines({}));
});

test('without git on PATH own writes are undone, and that commands are not covered is said', async () => {
  using sandbox = makeSandbox();
  sandbox.env['PATH'] = join(sandbox.dir, 'bin');
  mkdirSync(sandbox.env['PATH']);
  for (const tool of ['bash', 'sh', 'env']) {
    const found = execFileSync('which', [tool], { encoding: 'utf8' }).trim();
    execFileSync('ln', ['-s', found, join(sandbox.env['PATH'], tool)]);
  }
  const turn = await run(sandbox, 'write a.txt one\nsh echo two > b.txt');
  expect(turn.coverage.level).toBe('partial');
  expect(turn.coverage.reasons.filter((reason) => reason.includes('git was not found'))).toHaveLength(1);
  await jsonOf(sandbox, ['undo', turn.strand, '--scope', 'files']);
  expect(existsSync(join(sandbox.workspace, 'a.txt'))).toBe(false);
  expect(file(sandbox, 'b.txt')).toBe('two\n');
});

test('in the home folder itself no tree is captured, and the turn says so', async () => {
  using sandbox = makeSandbox();
  const home = sandbox.env['HOME'] ?? '';
  const turn = await run(sandbox, 'write a.txt one\nsh echo two > b.txt', home);
  expect(turn.coverage.reasons.join()).toMatch(/home or system folder/);
  expect(existsSync(join(sandbox.dataDir, 'snapshots', 'repos'))).toBe(false);
  await jsonOf(sandbox, ['undo', turn.strand, '--scope', 'files']);
  expect(existsSync(join(home, 'a.txt'))).toBe(false);
});

test('with 64 file descriptors a turn in a large folder is still covered in full', async () => {
  using sandbox = makeSandbox();
  git(sandbox, 'init', '-q');
  for (let at = 0; at < 300; at += 1) {
    mkdirSync(join(sandbox.workspace, `d${at % 90}`), { recursive: true });
    writeFileSync(join(sandbox.workspace, `d${at % 90}`, `f${at}`), `${at}\n`);
  }
  const main = join(import.meta.dirname, '..', 'dist', 'skein.js');
  const child = spawn(
    'bash',
    [
      '-c',
      'ulimit -n 64 && exec "$0" "$@"',
      process.execPath,
      main,
      'run',
      '--agent',
      'script',
      '--json',
      'sh rm -r d1; echo x > d2/new',
    ],
    { cwd: sandbox.workspace, env: sandbox.env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const code = await new Promise((done) => child.once('close', done));
  expect(code, stdout + stderr).toBe(0);
  const turn = JSON.parse(stdout) as RunJson;
  expect(turn.coverage).toEqual({ level: 'full', reasons: [] });
  await jsonOf(sandbox, ['undo', turn.strand, '--scope', 'files']);
  expect(existsSync(join(sandbox.workspace, 'd1', 'f1'))).toBe(true);
  expect(existsSync(join(sandbox.workspace, 'd2', 'new'))).toBe(false);
});

test('a hostile repository is opened, captured, run in, undone and redone, and runs nothing by itself', async () => {
  using sandbox = makeSandbox();
  const canary = join(sandbox.dir, 'canary');
  const trap = `sh -c 'touch ${canary}'`;
  git(sandbox, 'init', '-q');
  writeFileSync(join(sandbox.workspace, '.gitattributes'), '* filter=x diff=x merge=x\n');
  writeFileSync(join(sandbox.workspace, 'a.txt'), 'aaaa\n');
  git(sandbox, 'add', '-A');
  git(sandbox, 'commit', '-qm', 'one');
  const names = [
    'core.fsmonitor',
    'core.sshCommand',
    'core.pager',
    'core.editor',
    'diff.external',
    'diff.x.textconv',
    'filter.x.clean',
    'filter.x.smudge',
    'filter.x.process',
    'merge.x.driver',
    'gpg.program',
    'alias.status',
    'alias.check-ignore',
  ];
  for (const name of names) git(sandbox, 'config', name, name.startsWith('alias') ? `!${trap}` : trap);
  for (const hook of [
    'post-index-change',
    'reference-transaction',
    'post-checkout',
    'pre-commit',
    'pre-auto-gc',
  ])
    writeFileSync(join(sandbox.workspace, '.git', 'hooks', hook), `#!/bin/sh\ntouch ${canary}\n`, {
      mode: 0o755,
    });
  writeFileSync(join(sandbox.workspace, 'git'), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  const turn = await run(sandbox, 'write b.txt b\nsh echo bbbb > a.txt');
  await jsonOf(sandbox, ['undo', turn.strand, '--scope', 'files']);
  expect(file(sandbox, 'a.txt')).toBe('aaaa\n');
  await jsonOf(sandbox, ['redo', turn.strand]);
  await jsonOf(sandbox, ['store', 'gc']);
  expect(file(sandbox, 'a.txt')).toBe('bbbb\n');
  expect(existsSync(canary)).toBe(false);
});

test('purge asks for its yes where nobody can be asked, deletes at once, and an undo then touches nothing', async () => {
  using sandbox = makeSandbox();
  git(sandbox, 'init', '-q');
  writeFileSync(join(sandbox.workspace, 'a.txt'), 'one\n');
  const { strand } = await run(sandbox, 'sh echo two > a.txt');
  expect((await runCommand(sandbox, ['store', 'purge'])).code).toBe(2);
  await jsonOf(sandbox, ['store', 'purge', '--yes']);
  expect((await runCommand(sandbox, ['undo', strand, '--scope', 'files'])).code).not.toBe(0);
  expect(file(sandbox, 'a.txt')).toBe('two\n');
});

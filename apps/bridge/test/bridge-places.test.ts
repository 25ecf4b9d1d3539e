/** Sessions in places where little works: the disk itself, Skein's own folders, read-only disks, files of somebody else. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSandbox, runCommand, type Sandbox } from './bridge-process.ts';

interface RunJson {
  readonly strand: string;
  readonly files: readonly { readonly path: string; readonly by: string }[];
  readonly coverage: { readonly level: string; readonly reasons: readonly string[] };
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = join(import.meta.dirname, '..', 'dist', 'skein.js');
const NOBODY = 65534;

/** The command line behind something that makes the world smaller for it. */
const behind = async (
  sandbox: Sandbox,
  before: readonly string[],
  options: { readonly args: readonly string[]; readonly cwd?: string; readonly uid?: number },
): Promise<Ended> => {
  const [program = process.execPath, ...rest] = [...before, process.execPath, MAIN, ...options.args];
  const child = spawn(program, rest, {
    cwd: options.cwd ?? sandbox.workspace,
    env: sandbox.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, stdout, stderr };
};

const run = async (sandbox: Sandbox, script: string, cwd: string = sandbox.workspace): Promise<RunJson> => {
  const { code, stdout, stderr } = await runCommand(
    sandbox,
    ['run', '--cwd', cwd, '--agent', 'script', '--json', '-'],
    script,
  );
  expect(code, stdout + stderr).toBe(0);
  return JSON.parse(stdout) as RunJson;
};

const undo = (sandbox: Sandbox, { strand }: RunJson) =>
  runCommand(sandbox, ['undo', strand, '--scope', 'files', '--json']);

const storesOf = (sandbox: Sandbox): readonly string[] => {
  const repos = join(sandbox.dataDir, 'snapshots', 'repos');
  return existsSync(repos) ? readdirSync(repos) : [];
};

test('a session of the whole disk captures none of it, says so once, and undoes its own writes', async () => {
  using sandbox = makeSandbox();
  const inRoot = join(sandbox.workspace, 'a.txt').slice(1);
  const turn = await run(
    sandbox,
    `write ${inRoot} one\nsh echo two > ${join(sandbox.workspace, 'b.txt')}`,
    '/',
  );
  expect(turn.coverage.level).toBe('partial');
  expect(turn.coverage.reasons.filter((reason) => /home or system folder/.test(reason))).toHaveLength(1);
  expect(storesOf(sandbox)).toEqual([]);
  expect((await undo(sandbox, turn)).code).toBe(0);
  expect(existsSync(`/${inRoot}`)).toBe(false);
  expect(readFileSync(join(sandbox.workspace, 'b.txt'), 'utf8')).toBe('two\n');
});

test('a folder that holds Skein’s own data is captured without it', async () => {
  using sandbox = makeSandbox();
  sandbox.env['SKEIN_DATA_DIR'] = join(sandbox.workspace, 'data');
  const turn = await run(sandbox, 'sh echo two > here.txt');
  expect(turn.coverage).toEqual({ level: 'full', reasons: [] });
  expect(turn.files.map(({ path }) => path)).toEqual(['here.txt']);
  expect((await undo(sandbox, turn)).code).toBe(0);
  expect(readdirSync(sandbox.workspace)).toEqual(['data']);
});

test('Skein’s own data is no work tree', async () => {
  using sandbox = makeSandbox();
  await run(sandbox, 'say hello');
  const turn = await run(sandbox, 'sh echo two > here.txt', sandbox.dataDir);
  expect(turn.coverage.level).not.toBe('full');
  expect(storesOf(sandbox)).toEqual([]);
});

const READ_ONLY = [
  'unshare',
  '-m',
  'sh',
  '-c',
  'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"',
];
// Making a mount needs rights that a user does not have.
const canMount =
  process.getuid?.() === 0 &&
  (() => {
    const folder = mkdtempSync(join(tmpdir(), 'skein-mount-'));
    const [program = '', ...rest] = [...READ_ONLY, folder, 'true'];
    const { status } = spawnSync(program, rest);
    rmSync(folder, { recursive: true });
    return status === 0;
  })();

test.runIf(canMount)(
  'on a disk that is read-only a turn runs and is covered, and an undo says what cannot be written',
  async () => {
    using sandbox = makeSandbox();
    execFileSync('git', ['init', '-q'], { cwd: sandbox.workspace });
    writeFileSync(join(sandbox.workspace, 'a.txt'), 'one\n');
    const turn = await run(sandbox, 'sh echo two >> a.txt; mkdir new; echo three > new/b.txt');
    const readOnly = [...READ_ONLY, sandbox.workspace];
    const args = ['run', '--agent', 'script', '--json', 'sh cat a.txt; echo x > c.txt || true'];
    const during = await behind(sandbox, readOnly, { args });
    expect(during.code, during.stderr).toBe(0);
    expect((JSON.parse(during.stdout) as RunJson).coverage).toEqual({ level: 'full', reasons: [] });
    const refused = await behind(sandbox, readOnly, { args: ['undo', turn.strand, '--scope', 'files'] });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/read-only|EROFS/i);
    expect(readFileSync(join(sandbox.workspace, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect((await undo(sandbox, turn)).code).toBe(0);
    expect(readFileSync(join(sandbox.workspace, 'a.txt'), 'utf8')).toBe('one\n');
    expect(existsSync(join(sandbox.workspace, 'new'))).toBe(false);
  },
);

test.runIf(canMount)(
  'with a data directory that is read-only no turn begins, and the reason is told',
  async () => {
    using sandbox = makeSandbox();
    const first = await run(sandbox, 'write a.txt one');
    const readOnly = [...READ_ONLY, sandbox.dataDir];
    const args = ['run', '--agent', 'script', 'write b.txt two'];
    const refused = await behind(sandbox, readOnly, { args });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/read-only|EROFS/i);
    expect(existsSync(join(sandbox.workspace, 'b.txt'))).toBe(false);
    const undone = await behind(sandbox, readOnly, { args: ['undo', first.strand] });
    expect(undone.code).not.toBe(0);
    expect(readFileSync(join(sandbox.workspace, 'a.txt'), 'utf8')).toBe('one\n');
  },
);

const ownedBy = (uid: number, path: string): void => {
  chownSync(path, uid, uid);
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    chownSync(join(entry.parentPath, entry.name), uid, uid);
};
// The checkout may lie where somebody else cannot read it.
const canBeNobody =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, [MAIN, '--version'], { uid: NOBODY, gid: NOBODY, env: { HOME: tmpdir() } })
    .status === 0;

test.runIf(canBeNobody)(
  'a file that the user may not read is left out and named, and everything else is covered',
  async () => {
    using sandbox = makeSandbox();
    execFileSync('git', ['init', '-q'], { cwd: sandbox.workspace });
    for (const name of ['mine.txt', 'secret.txt']) writeFileSync(join(sandbox.workspace, name), `${name}\n`);
    mkdirSync(join(sandbox.workspace, 'closed'));
    ownedBy(NOBODY, sandbox.dir);
    for (const name of ['secret.txt', 'closed']) {
      chownSync(join(sandbox.workspace, name), 0, 0);
      chmodSync(join(sandbox.workspace, name), 0o700);
    }
    const args = ['run', '--agent', 'script', '--json', 'sh echo more >> mine.txt'];
    const { code, stdout, stderr } = await behind(sandbox, [], { args, uid: NOBODY });
    expect(code, stdout + stderr).toBe(0);
    const turn = JSON.parse(stdout) as RunJson;
    expect(turn.coverage.level).toBe('partial');
    expect(turn.coverage.reasons.join()).toMatch(/secret\.txt/);
    const undone = await behind(sandbox, [], {
      args: ['undo', turn.strand, '--scope', 'files'],
      uid: NOBODY,
    });
    expect(undone.code, undone.stderr).toBe(0);
    expect(readFileSync(join(sandbox.workspace, 'mine.txt'), 'utf8')).toBe('mine.txt\n');
  },
);

/** The product through its own command line, without a bridge: the main job end to end. */
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeSandbox, runBridge, runCommand, type Sandbox } from './bridge-process.ts';

interface RunJson {
  readonly strand: string;
  readonly turn: string;
  readonly stop: string;
  readonly files: readonly { path: string; status: string }[];
  readonly coverage: { level: string };
}

const fill = ({ workspace }: Sandbox): void => {
  mkdirSync(join(workspace, 'bin'));
  writeFileSync(join(workspace, 'keep.bin'), Buffer.from([0, 255, 13, 10, 0]));
  writeFileSync(join(workspace, 'bin', 'tool.sh'), '#!/bin/sh\r\necho one\r\n');
  chmodSync(join(workspace, 'bin', 'tool.sh'), 0o755);
  writeFileSync(join(workspace, 'old.txt'), 'no newline at the end');
};

const snapshot = ({ workspace }: Sandbox): Record<string, { bytes: string; mode: number }> =>
  Object.fromEntries(
    globSync('**/*', { cwd: workspace })
      .filter((path) => statSync(join(workspace, path)).isFile())
      .sort()
      .map((path) => {
        const full = join(workspace, path);
        return [path, { bytes: readFileSync(full).toString('hex'), mode: statSync(full).mode & 0o7777 }];
      }),
  );

const SCRIPT = [
  'say Working.',
  'write new/deep/a.txt hello',
  'edit bin/tool.sh one => two',
  'rm old.txt',
  'write keep.bin text now',
  'sh echo from the shell',
  'say Done.',
].join('\n');

const run = async (sandbox: Sandbox, script: string, strand?: string): Promise<RunJson> => {
  const where = strand === undefined ? ['--cwd', sandbox.workspace, '--agent', 'script'] : ['-s', strand];
  const args = ['run', ...where, '--json', '-'];
  const { code, stdout, stderr } = await runCommand(sandbox, args, script);
  expect(code, stdout + stderr).toBe(0);
  return JSON.parse(stdout) as RunJson;
};

const strandFile = ({ dataDir }: Sandbox, strand: string): Buffer => {
  const [file = ''] = globSync(join(dataDir, 'strands', '*', `*_${strand}.jsonl`));
  return readFileSync(file);
};

test('a turn is run, shown, undone byte for byte with modes, and redone', async () => {
  using sandbox = makeSandbox();
  fill(sandbox);
  const before = snapshot(sandbox);
  const result = await run(sandbox, SCRIPT);
  expect(result.stop).toBe('done');
  expect(result.coverage.level).toBe('full');
  expect(result.files.map(({ path, status }) => `${status} ${path}`).sort()).toEqual([
    'added new/deep/a.txt',
    'deleted old.txt',
    'modified bin/tool.sh',
    'modified keep.bin',
  ]);
  const after = snapshot(sandbox);
  expect(Buffer.from(after['bin/tool.sh']?.bytes ?? '', 'hex').toString()).toBe('#!/bin/sh\r\necho two\r\n');
  const bytes = strandFile(sandbox, result.strand);

  const undone = await runCommand(sandbox, ['undo', result.strand, '--json']);
  expect(undone.code, undone.stdout + undone.stderr).toBe(0);
  expect(JSON.parse(undone.stdout)).toMatchObject({
    applied: true,
    direction: 'undo',
    turns: [result.turn],
    draft: SCRIPT,
  });
  expect(snapshot(sandbox)).toEqual(before);
  expect(existsSync(join(sandbox.workspace, 'new')), 'folders of the turn are gone').toBe(false);
  expect(strandFile(sandbox, result.strand).subarray(0, bytes.byteLength)).toEqual(bytes);

  const redone = await runCommand(sandbox, ['redo', result.strand, '--json']);
  expect(redone.code, redone.stdout + redone.stderr).toBe(0);
  expect(snapshot(sandbox)).toEqual(after);
  const shown = await runCommand(sandbox, ['show', result.strand, '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    strand: result.strand,
    bad: 0,
    turns: [{ outcome: 'done', undone: false }],
  });
  expect((await runCommand(sandbox, ['lint', result.strand])).code).toBe(0);
});

test('a hand edit in between is a conflict: exit 3, nothing is written', async () => {
  using sandbox = makeSandbox();
  fill(sandbox);
  const { strand } = await run(sandbox, SCRIPT);
  writeFileSync(join(sandbox.workspace, 'bin', 'tool.sh'), 'mine\n');
  const here = snapshot(sandbox);
  const bytes = strandFile(sandbox, strand);
  const undone = await runCommand(sandbox, ['undo', strand, '--json']);
  expect(undone.code).toBe(3);
  expect(JSON.parse(undone.stdout)).toMatchObject({
    applied: false,
    conflicts: [{ path: 'bin/tool.sh', reason: 'changed_since' }],
  });
  expect(snapshot(sandbox)).toEqual(here);
  expect(strandFile(sandbox, strand)).toEqual(bytes);
});

test('the next prompt tells the model once which files an undo changed', async () => {
  using sandbox = makeSandbox();
  fill(sandbox);
  const { strand } = await run(sandbox, 'write a.txt one');
  await run(sandbox, 'write b.txt two', strand);
  expect((await runCommand(sandbox, ['undo', strand, '--scope', 'files'])).code).toBe(0);
  await run(sandbox, 'say Third.', strand);
  await run(sandbox, 'say Fourth.', strand);
  const shown = await runCommand(sandbox, ['show', strand, '--json']);
  const { messages } = JSON.parse(shown.stdout) as {
    messages: { role: string; parts: { type: string; text?: string }[] }[];
  };
  const notes = messages
    .filter(({ role }) => role === 'user')
    .map(({ parts }) => parts.filter(({ type }) => type === 'note'));
  expect(notes.map((parts) => parts.length)).toEqual([0, 0, 1, 0]);
  expect(notes[2]?.[0]?.text).toContain('b.txt');
});

test('ask mode without a terminal denies at once', async () => {
  using sandbox = makeSandbox();
  const args = ['run', '--cwd', sandbox.workspace, '--agent', 'script', '--mode', 'ask', '--json', '-'];
  const { code, stdout } = await runCommand(sandbox, args, 'write a.txt no\nsh touch b.txt');
  expect(code, stdout).toBe(5);
  expect(snapshot(sandbox)).toEqual({});
});

test('usage errors exit 2, unknown sessions exit 1, both in one sentence or one JSON value', async () => {
  using sandbox = makeSandbox();
  expect((await runCommand(sandbox, ['frobnicate'])).code).toBe(2);
  const missing = await runCommand(sandbox, ['show', 'nosuch', '--json']);
  expect(missing.code).toBe(1);
  expect(JSON.parse(missing.stdout)).toMatchObject({ error: { code: 'not_found' } });
});

test('two runs at once on one session: one works, the other is told who holds it', async () => {
  using sandbox = makeSandbox();
  const { strand } = await run(sandbox, 'say Hello.');
  const args = ['run', '-s', strand, '--json', '-'];
  const slow = runCommand(sandbox, args, 'sleep 3000\nsay Slow.');
  await new Promise((done) => setTimeout(done, 1500));
  const second = await runCommand(sandbox, args, 'say Quick.');
  expect(second.code, second.stdout).toBe(4);
  expect(JSON.parse(second.stdout)).toMatchObject({ error: { code: 'held' } });
  expect((await slow).code).toBe(0);
});

test('a second bridge on a data directory says who has it, and a command goes through the running one', async () => {
  using sandbox = makeSandbox();
  await using bridge = await runBridge(sandbox);
  const up = await runCommand(sandbox, ['up', '--no-open', '--json']);
  expect(up.code).toBe(0);
  expect(JSON.parse(up.stdout)).toEqual({ url: bridge.url, pid: bridge.pid });
  const { strand } = await run(sandbox, 'write through.txt yes');
  const { items } = await bridge.connection.client.strands.list.query({ limit: 10 });
  expect(items.map(({ id }) => id)).toEqual([strand]);
});

test('a stopped bridge is gone within five seconds and leaves the running turn closed', async () => {
  using sandbox = makeSandbox();
  await using bridge = await runBridge(sandbox);
  const { client } = bridge.connection;
  const { id } = await client.strands.create.mutate({ cwd: sandbox.workspace, agent: 'script' });
  await client.turns.prompt.mutate({ strand: id, text: 'say Begun.\nsh sleep 60', by: 'script' });
  await new Promise((done) => setTimeout(done, 1000));
  await bridge.end('SIGTERM');
  const shown = await runCommand(sandbox, ['show', id, '--json']);
  const { turns } = JSON.parse(shown.stdout) as { turns: { outcome: string }[] };
  expect(['aborted', 'interrupted']).toContain(turns[0]?.outcome);
  expect((await runCommand(sandbox, ['lint', id])).code).toBe(0);
});

test('a session whose journal is lost is not undone: nothing is written and nothing is called done', async () => {
  using sandbox = makeSandbox();
  fill(sandbox);
  const { strand } = await run(sandbox, SCRIPT);
  const here = snapshot(sandbox);
  for (const file of globSync(join(sandbox.dataDir, 'snapshots', 'journals', `${strand}*`))) rmSync(file);
  const bytes = strandFile(sandbox, strand);
  const undone = await runCommand(sandbox, ['undo', strand, '--json']);
  expect(undone.code, undone.stdout).not.toBe(0);
  expect(snapshot(sandbox)).toEqual(here);
  expect(strandFile(sandbox, strand)).toEqual(bytes);
});

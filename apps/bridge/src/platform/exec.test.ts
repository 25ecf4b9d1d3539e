import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test/strands-kit.ts';
import { runProgram } from './exec.ts';

const sh = (
  script: string,
  more: { stdin?: Uint8Array; deadlineMs?: number; maxOutputBytes?: number; signal?: AbortSignal } = {},
) =>
  runProgram({
    program: '/bin/sh',
    args: ['-c', script],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', ONE: '1' },
    ...more,
  });

test('bytes go in and come out as they are, and nothing of our environment does', async () => {
  const bytes = Buffer.from([0, 1, 255, 10, 200]);
  expect((await sh('cat', { stdin: bytes })).stdout).toEqual(bytes);
  expect((await sh('env | grep -v -e ^PWD -e ^SHLVL -e ^_ -e ^OLDPWD | sort')).stdout.toString()).toBe(
    'ONE=1\nPATH=/usr/bin:/bin\n',
  );
  expect((await sh('cat; echo over')).stdout.toString()).toBe('over\n');
});

test('exit code, signal and error output are told apart', async () => {
  expect(await sh('echo no >&2; exit 3')).toMatchObject({
    code: 3,
    signal: null,
    stderr: 'no\n',
    timedOut: false,
  });
  expect(await sh('kill -9 $$')).toMatchObject({ code: null, signal: 'SIGKILL' });
  const missing = runProgram({ program: '/no/such/program', args: [], cwd: '/', env: {} });
  await expect(missing).rejects.toMatchObject({ code: 'missing_program' });
});

test('at the deadline the whole group ends, also who ignores TERM', async () => {
  using dir = tempDir();
  const mark = join(dir.path, 'survived');
  const started = performance.now();
  const result = await sh(`(trap '' TERM; sleep 4; touch ${mark}) & trap '' TERM; sleep 30`, {
    deadlineMs: 200,
  });
  expect(result).toMatchObject({ code: null, signal: 'SIGKILL', timedOut: true });
  expect(performance.now() - started).toBeLessThan(10_000);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(existsSync(mark)).toBe(false);
});

test('a grandchild that keeps the pipes does not keep us waiting', async () => {
  const started = performance.now();
  expect(await sh('sleep 20 & echo done')).toMatchObject({ code: 0, stdout: Buffer.from('done\n') });
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('too much output ends the program and is said', async () => {
  const result = await sh('yes', { maxOutputBytes: 100_000 });
  expect(result.truncated).toBe(true);
  expect(result.stdout.length).toBeLessThanOrEqual(100_000);
  expect(result.code).toBeNull();
});

test('a cancelled program ends', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 100);
  expect(await sh('sleep 30', { signal: controller.signal })).toMatchObject({
    code: null,
    signal: 'SIGTERM',
    timedOut: false,
  });
  await expect(sh('true', { signal: controller.signal })).rejects.toMatchObject({ code: 'interrupted' });
});

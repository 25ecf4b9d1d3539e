import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readProcessIdentity } from './host.ts';
import { type OpenProcessHost, openProcessHost, type ShellRequest } from './process-group.ts';
import { isOurGroup } from './process-group-members.ts';

const fromHere = (path: string): string => new URL(path, import.meta.url).pathname;
const env = { PATH: process.env['PATH'] ?? '' };
let dir: string;
let host: OpenProcessHost;
let faults: unknown[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'skein-children-'));
  faults = [];
  host = openProcessHost({
    watchdogScript: fromHere('../watchdog/watchdog.ts'),
    nodePath: process.execPath,
    registryDir: join(dir, 'children'),
    process: readProcessIdentity(),
    env: { ...env, SAID: 'hello' },
    graceMs: 300,
    onFault: (fault) => faults.push(fault),
  });
});

afterEach(async () => {
  await host[Symbol.asyncDispose]();
  rmSync(dir, { recursive: true, force: true });
});

const shell = (command: string, rest: Partial<ShellRequest> = {}) =>
  host.shell({
    command,
    cwd: dir,
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    onOutput: () => undefined,
    maxOutputBytes: 100_000,
    ...rest,
  });

/** A number of seconds that no other process of this machine sleeps for. */
const oddSleep = (): string => `${100_000 + Math.floor(Math.random() * 800_000)}`;
const sleepers = (seconds: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid) === `sleep\0${seconds}\0`);

test('a command runs without stdin, with the given environment, both outputs in order', async () => {
  const seen: string[] = [];
  const result = await shell('echo one; echo two >&2; echo "$SAID"; cat; exit 3', {
    onOutput: (text) => seen.push(text),
  });
  expect(result).toMatchObject({ exitCode: 3, timedOut: false, interrupted: false, truncated: false });
  expect(result.output).toBe('one\ntwo\nhello\n');
  expect(seen.join('')).toBe(result.output);
});

test('the working directory that does not exist is a fault that names it', async () => {
  await expect(shell('true', { cwd: join(dir, 'nowhere') })).rejects.toMatchObject({ code: 'io' });
});

test('a list of children that cannot be opened now is tried again by the next command', async () => {
  writeFileSync(join(dir, 'children'), 'in the way');
  await expect(shell('true')).rejects.toMatchObject({ code: 'io' });
  rmSync(join(dir, 'children'));
  expect(await shell('echo well')).toMatchObject({ exitCode: 0, output: 'well\n' });
});

test('a command keeps its result when its end cannot be noted, which is reported', async () => {
  const result = await shell('echo done', {
    onOutput: () => {
      // The list can neither be appended to nor made anew.
      for (const name of readdirSync(join(dir, 'children'))) {
        rmSync(join(dir, 'children', name), { recursive: true });
        mkdirSync(join(dir, 'children', name));
      }
    },
  });
  expect(result).toMatchObject({ exitCode: 0, output: 'done\n' });
  expect(faults).toMatchObject([{ code: 'io' }]);
  rmSync(join(dir, 'children'), { recursive: true });
});

test('long output keeps its head and tail, and a character is never cut in two', async () => {
  const streamed: string[] = [];
  const result = await shell(`yes '😀é' | head -n 20000; printf '\\xf0\\x9f'`, {
    maxOutputBytes: 1001,
    onOutput: (text) => streamed.push(text),
  });
  expect(result).toMatchObject({ truncated: true, outputBytes: 20_000 * 7 + 2 });
  expect(result.output.replace(/\n\[\d+ bytes left out\]\n/, '')).toMatch(/^[😀é\n�]*$/u);
  expect(Buffer.byteLength(result.output)).toBeLessThan(1100);
  expect(streamed.join('')).toBe(`${'😀é\n'.repeat(20_000)}\ufffd`);
});

test('a timeout ends the whole group, also what ignores TERM', async () => {
  const seconds = oddSleep();
  const result = await shell(`trap '' TERM; sleep ${seconds} & sleep ${seconds}`, { timeoutMs: 200 });
  expect(result).toMatchObject({ timedOut: true, interrupted: false });
  expect(sleepers(seconds)).toEqual([]);
});

test('an interrupt ends the whole group and keeps what was said', async () => {
  const controller = new AbortController();
  const seconds = oddSleep();
  const result = await shell(`echo begun; sleep ${seconds} & sleep ${seconds}`, {
    signal: controller.signal,
    onOutput: () => controller.abort(),
  });
  expect(result).toMatchObject({ interrupted: true, output: 'begun\n' });
  expect(sleepers(seconds)).toEqual([]);
});

test('a command that is interrupted before it begins does not run', async () => {
  const result = await shell('echo ran', { signal: AbortSignal.abort() });
  expect(result).toMatchObject({ interrupted: true, output: '' });
});

test('what a command leaves in the background ends with it', async () => {
  const seconds = oddSleep();
  const result = await shell(`sleep ${seconds} & echo done`);
  expect(result).toMatchObject({ exitCode: 0, output: 'done\n' });
  expect(sleepers(seconds)).toEqual([]);
});

test('kill -9 of the host ends its commands within ten seconds', async () => {
  const seconds = oddSleep();
  const child = startHost(`echo up; sleep ${seconds} & sleep ${seconds}`, 'with');
  await outputOf(child, 'up\n');
  await until(() => sleepers(seconds).length === 2, 5000);
  child.kill('SIGKILL');
  await until(() => sleepers(seconds).length === 0, 10_000);
});

test('the next start ends what a host and its watchdog left', async () => {
  const seconds = oddSleep();
  const child = startHost(`echo up; sleep ${seconds} & sleep ${seconds}`, 'without');
  await outputOf(child, 'up\n');
  child.kill('SIGKILL');
  await sleep(500);
  await until(() => sleepers(seconds).length === 2, 5000);
  expect(await host.sweep()).toBe(1);
  expect(sleepers(seconds)).toEqual([]);
  expect(readdirSync(join(dir, 'children'))).toEqual([]);
});

test('a sweep leaves the groups of a living host alone', async () => {
  const seconds = oddSleep();
  const child = startHost(`echo up; sleep ${seconds} & sleep ${seconds}`, 'with');
  await outputOf(child, 'up\n');
  expect(await host.sweep()).toBe(0);
  await until(() => sleepers(seconds).length === 2, 5000);
  child.kill('SIGKILL');
  await until(() => sleepers(seconds).length === 0, 10_000);
});

test('a group whose pid was recycled is not ours', () => {
  const child = spawn('sleep', ['30'], { detached: true, stdio: 'ignore' });
  const pgid = child.pid ?? 0;
  expect(isOurGroup({ pgid, start: '1', mark: 'not-this' })).toBe(false);
  child.kill('SIGKILL');
});

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

const startHost = (command: string, watchdog: 'with' | 'without'): ChildProcess =>
  spawn(
    process.execPath,
    [fromHere('../../test/agents/child-host.ts'), join(dir, 'children'), command, watchdog],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    },
  );

const outputOf = async (child: ChildProcess, wanted: string): Promise<void> => {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes(wanted)) return;
  }
  throw new Error(`the host said only: ${text}`);
};

const until = async (check: () => boolean, withinMs: number): Promise<void> => {
  const end = Date.now() + withinMs;
  while (!check()) {
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms`);
    await sleep(50);
  }
};

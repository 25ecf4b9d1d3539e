// What the benches share: temp folders, medians, a bridge of the built product.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { remoteClient } from '../../apps/bridge/src/cli/clients.ts';
import { ROOT } from '../process-tools.mjs';

const SKEIN = path.join(ROOT, 'apps', 'bridge', 'dist', 'skein.js');

export const median = (numbers) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
export const p99 = (numbers) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.99)] ?? Number.NaN;
export const ms = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
export const times = (ours, floor) => `${(ours / floor).toFixed(2)}x`;
export const mib = (bytes) => `${(bytes / 1024 ** 2).toFixed(0)} MiB`;

export const tempDir = () => {
  const dir = realpathSync(mkdtempSync(path.join(tmpdir(), 'skein-bench-')));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
};

/** Resident bytes of a process (Linux). */
export const residentBytes = (pid) => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) * 1024;
};

/** Starts a program and resolves with its first line of output and the time it took. */
export const untilFirstLine = async (args, env) => {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    return { child, line, tookMs: performance.now() - started };
  }
  throw new Error('the program ended without a word');
};

export const stop = async (child) => {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
};

/** A bridge on a data directory of its own, with a client that holds its token. */
export const startBridge = async (dir) => {
  const home = path.join(dir, 'home');
  mkdirSync(home, { recursive: true });
  const dataDir = path.join(dir, 'data');
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    SKEIN_DATA_DIR: dataDir,
    SKEIN_CONFIG_DIR: path.join(dir, 'config'),
  };
  const { child, line, tookMs } = await untilFirstLine(
    [SKEIN, 'up', '--no-open', '--json', '--port', '0'],
    env,
  );
  const { url, pid } = JSON.parse(line);
  const runtime = path.join(dataDir, 'runtime');
  const { readdirSync } = await import('node:fs');
  const token = readFileSync(path.join(runtime, readdirSync(runtime)[0], 'token'), 'utf8').trim();
  const connection = remoteClient({ url, token });
  return {
    url,
    pid,
    tookMs,
    client: connection.client,
    async stop() {
      await connection.close();
      await stop(child);
    },
  };
};

export const wait = (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs));

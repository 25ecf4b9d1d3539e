/**
 * The built bridge as a real process, on directories of its own, for the suites that kill it. `npm test` builds
 * before it runs them; by hand: `npm run build` first.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { remoteClient } from '../src/cli/clients.ts';
import type { Connection } from '../src/cli/deps.ts';

const MAIN = resolve(dirname(fileURLToPath(import.meta.url)), '..', 'dist', 'skein.js');

export interface Sandbox extends Disposable {
  readonly dir: string;
  readonly dataDir: string;
  readonly workspace: string;
  readonly env: Record<string, string>;
}

export const makeSandbox = (): Sandbox => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'skein-bridge-')));
  const [dataDir, workspace, home] = ['data', 'workspace', 'home'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [workspace, home]) mkdirSync(folder);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    SKEIN_DATA_DIR: dataDir,
    SKEIN_CONFIG_DIR: join(dir, 'config'),
    LANG: 'C.UTF-8',
  };
  return {
    dir,
    dataDir,
    workspace,
    env,
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
};

export interface RunningBridge extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  readonly token: string;
  readonly child: ChildProcess;
  readonly connection: Connection;
  /** Resolves when the process is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

export const runBridge = async (
  { env, dataDir }: Sandbox,
  extra: Readonly<Record<string, string>> = {},
): Promise<RunningBridge> => {
  const child = spawn(process.execPath, [MAIN, 'up', '--no-open', '--json', '--port', '0'], {
    env: { ...env, ...extra },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { url, pid } = await firstLine(child);
  const runtime = join(dataDir, 'runtime');
  const [scope = ''] = readdirSync(runtime);
  const token = readFileSync(join(runtime, scope, 'token'), 'utf8').trim();
  const connection = remoteClient({ url, token });
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await ended;
  };
  return {
    url,
    pid,
    token,
    child,
    connection,
    end,
    async [Symbol.asyncDispose]() {
      // A dead bridge cannot answer the closing handshake.
      void connection.close().catch(() => undefined);
      await end('SIGTERM');
    },
  };
};

/** One CLI command; never throws for an exit code. */
export const runCommand = async (
  { env, workspace }: Sandbox,
  args: readonly string[],
  input = '',
): Promise<{ code: number | null; stdout: string; stderr: string }> => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env,
    cwd: workspace,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end(input);
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, stdout, stderr };
};

const firstLine = async (child: ChildProcess): Promise<{ url: string; pid: number }> => {
  if (child.stdout === null) throw new Error('the bridge has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    return JSON.parse(line) as { url: string; pid: number };
  }
  throw new Error('the bridge ended before it was listening');
};

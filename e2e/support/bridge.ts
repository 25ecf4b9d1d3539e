/** A real bridge of the built product on a temp data directory and a temp git repository. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');
const SKEIN = join(ROOT, 'apps', 'bridge', 'dist', 'skein.js');

export interface TestBridge extends AsyncDisposable {
  readonly url: string;
  readonly dataDir: string;
  readonly workspace: string;
  readonly pid: number;
  /** A fresh opening link with a one-time code. */
  openingLink(): string;
  /** Runs a CLI command against the bridge; the JSON it prints. */
  cli(args: readonly string[], input?: string): unknown;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  isRunning(): boolean;
  /** Starts again on the same data directory and port. */
  restart(options?: Pick<BridgeOptions, 'env'>): Promise<void>;
  file(path: string): string;
  has(path: string): boolean;
  /** A JSON file of the data directory's `state/`. */
  state(name: string): unknown;
  write(path: string, text: string): void;
}

export interface BridgeOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export const startBridge = async (options: BridgeOptions = {}): Promise<TestBridge> => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'skein-e2e-')));
  const dataDir = join(base, 'data');
  const workspace = join(base, 'workspace');
  makeRepository(
    workspace,
    options.files ?? { 'readme.md': '# Sample\n', 'src/app.js': 'export const answer = 41;\n' },
  );
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(base, 'home'),
    SKEIN_DATA_DIR: dataDir,
    SKEIN_CONFIG_DIR: join(base, 'config'),
    LANG: 'C.UTF-8',
    ...options.env,
  };
  mkdirSync(env.HOME);
  let child = launch(env, []);
  let { url, pid } = await firstLine(child);
  const run = (args: readonly string[], input = ''): string => {
    try {
      return execFileSync(process.execPath, [SKEIN, ...args], {
        env,
        cwd: workspace,
        input,
        encoding: 'utf8',
        maxBuffer: 256 * 1024 * 1024,
      });
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string };
      throw new Error(`skein ${args.join(' ')} failed: ${stdout ?? ''}${stderr ?? ''}`);
    }
  };
  return {
    get url() {
      return url;
    },
    get pid() {
      return pid;
    },
    dataDir,
    workspace,
    openingLink: () => run(['open', '--no-open']).trim().split('\n').at(-1) ?? '',
    cli: (args, input) => JSON.parse(run([...args, '--json'], input)) as unknown,
    async kill(signal) {
      const ended = new Promise((done) => child.once('exit', done));
      child.kill(signal);
      await ended;
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async restart({ env: more } = {}) {
      child = launch({ ...env, ...more }, ['--port', new URL(url).port]);
      ({ url, pid } = await firstLine(child));
    },
    state: (name) => JSON.parse(readFileSync(join(dataDir, 'state', name), 'utf8')) as unknown,
    file: (path) => readFileSync(join(workspace, path), 'utf8'),
    has: (path) => existsSync(join(workspace, path)),
    write: (path, text) => writeFileSync(join(workspace, path), text),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((done) => child.once('exit', done));
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(base, { recursive: true, force: true });
    },
  };
};

const launch = (env: Readonly<Record<string, string>>, extra: readonly string[]): ChildProcess =>
  spawn(process.execPath, [SKEIN, 'up', '--no-open', '--json', ...extra], {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const firstLine = async (child: ChildProcess): Promise<{ url: string; pid: number }> => {
  if (child.stdout === null) throw new Error('the bridge has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    return JSON.parse(line) as { url: string; pid: number };
  }
  throw new Error('the bridge ended before it was listening');
};

const makeRepository = (folder: string, files: Readonly<Record<string, string>>): void => {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', ...args], {
      cwd: folder,
    });
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'start');
};

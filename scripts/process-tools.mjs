// Running other programs from our scripts: local tools first in PATH, telemetry off, signals passed on.
// Plain Node 20 and no dependency, because these scripts run before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const ROOT = path.resolve(path.dirname(new URL(import.meta.url).pathname), '..');
export const OLDEST_NODE = 22;

const isWindows = process.platform === 'win32';

/** The environment for every child: the tools of this repository first in PATH, no telemetry. */
export function childEnv(extra = {}) {
  const bin = path.join(ROOT, 'node_modules', '.bin');
  return {
    ...process.env,
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
    NEXT_TELEMETRY_DISABLED: '1',
    TURBO_TELEMETRY_DISABLED: '1',
    ...extra,
  };
}

/** Runs a program and shows its output. Resolves with the exit code; 128 + n after signal n; 127 when absent. */
export function run(command, args, { env = {}, timeoutMs } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: childEnv(env),
      stdio: ['ignore', 'inherit', 'inherit'],
      shell: isWindows,
      detached: !isWindows,
    });
    const release = endWith(child);
    const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
    child.once('error', (error) => finish(error.code === 'ENOENT' ? 127 : 1, error.message));
    child.once('exit', (code, signal) => finish(code ?? 128 + (os.constants.signals[signal] ?? 0)));

    function expire() {
      console.error(`\n${command} ${args[0] ?? ''}: stopped after ${Math.round(timeoutMs / 1000)} s`);
      killTree(child, 'SIGKILL');
    }
    function finish(code, message) {
      clearTimeout(timer);
      release();
      if (message) console.error(`${command}: ${message}`);
      resolve(code);
    }
  });
}

/** Runs a program silently and returns its standard output, or undefined when it is absent or fails. */
export function outputOf(command, args) {
  const result = spawnSync(command, args, { cwd: ROOT, env: childEnv(), encoding: 'utf8', shell: isWindows });
  return result.status === 0 ? result.stdout : undefined;
}

const OWN_NODE = path.join(ROOT, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node');

/** Whether the dev dependency `node` is in place and runs here. */
export function hasOwnNode() {
  return existsSync(OWN_NODE) && spawnSync(OWN_NODE, ['-v']).status === 0;
}

/** The Node to run the product with: the local one, else the running one if it is new enough, else undefined. */
export function productNode() {
  if (hasOwnNode()) return OWN_NODE;
  return Number(process.versions.node.split('.')[0]) >= OLDEST_NODE ? process.execPath : undefined;
}

/** While the child runs, a signal to this script ends the child's whole group, and then this script. */
function endWith(child) {
  const handlers = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => {
    const handler = () => {
      killTree(child, signal);
      process.exitCode = 128 + os.constants.signals[signal];
      setTimeout(() => process.exit(), 2000).unref();
      child.once('exit', () => process.exit());
    };
    process.once(signal, handler);
    return [signal, handler];
  });
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}

function killTree(child, signal) {
  if (child.pid === undefined) return;
  try {
    if (isWindows) child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

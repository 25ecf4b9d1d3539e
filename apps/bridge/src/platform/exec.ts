/**
 * The one way to run a program to its end: arguments as an array, no shell, its own process group, a
 * deadline, a cap on output. Long-lived children (agents, shells of turns) are not for this file.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { BridgeError } from '@skein/core/protocol/errors';
import { errnoOf, ioFault } from './io-fault.ts';

export interface ExecRequest {
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Bytes for stdin; without them stdin is closed (/dev/null). */
  readonly stdin?: Uint8Array | undefined;
  readonly deadlineMs?: number | undefined;
  /** Of stdout; more ends the program and sets `truncated`. */
  readonly maxOutputBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ExecResult {
  /** Null when a signal ended it: a killed child is a failure, never an answer. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  /** At most the last 64 KiB. */
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly truncated: boolean;
}

const DEFAULT_DEADLINE_MS = 30_000;
const DEFAULT_MAX_OUTPUT = 64 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;
const KILL_AFTER_MS = 2000;
/** A grandchild may keep the pipes open after the program ended. */
const PIPE_GRACE_MS = 1000;

/** Resolves however the program ended. Faults: `missing_program`, `io`, `interrupted` (aborted before it began). */
export const runProgram = async (request: ExecRequest): Promise<ExecResult> => {
  if (request.signal?.aborted === true) {
    throw new BridgeError('interrupted', 'The work was cancelled before it began.');
  }
  const child = spawn(request.program, [...request.args], {
    cwd: request.cwd,
    env: { ...request.env },
    stdio: [request.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const output = collect(child, request.maxOutputBytes ?? DEFAULT_MAX_OUTPUT);
  const stop = stopper(child, request);
  if (child.stdin !== null) {
    // A program that does not read to the end is no fault of ours: its exit code tells.
    child.stdin.on('error', () => undefined);
    child.stdin.end(request.stdin);
  }
  try {
    const ended = await endOf(child, request.program);
    return { ...ended, ...output(), timedOut: stop.timedOut() };
  } finally {
    stop.clear();
  }
};

const collect = (
  child: ChildProcess,
  maxBytes: number,
): (() => Pick<ExecResult, 'stdout' | 'stderr' | 'truncated'>) => {
  const chunks: Buffer[] = [];
  let size = 0;
  let truncated = false;
  let stderr = Buffer.alloc(0);
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else if (!truncated) {
      truncated = true;
      killGroup(child, 'SIGKILL');
    }
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-MAX_STDERR);
  });
  return () => ({ stdout: Buffer.concat(chunks), stderr: stderr.toString('utf8'), truncated });
};

const stopper = (
  child: ChildProcess,
  request: ExecRequest,
): { timedOut: () => boolean; clear: () => void } => {
  let timedOut = false;
  let kill: NodeJS.Timeout | undefined;
  const end = (): void => {
    killGroup(child, 'SIGTERM');
    kill ??= setTimeout(() => killGroup(child, 'SIGKILL'), KILL_AFTER_MS);
  };
  const deadline = setTimeout(() => {
    timedOut = true;
    end();
  }, request.deadlineMs ?? DEFAULT_DEADLINE_MS);
  request.signal?.addEventListener('abort', end, { once: true });
  return {
    timedOut: () => timedOut,
    clear: () => {
      clearTimeout(deadline);
      clearTimeout(kill);
      request.signal?.removeEventListener('abort', end);
      if (timedOut) killGroup(child, 'SIGKILL');
    },
  };
};

const endOf = (child: ChildProcess, program: string): Promise<Pick<ExecResult, 'code' | 'signal'>> =>
  new Promise((resolve, reject) => {
    child.once('error', (error) => {
      const missing = errnoOf(error) === 'ENOENT';
      reject(missing ? missingProgram(program, error) : ioFault(error, 'Starting a program', program));
    });
    child.once('exit', () => {
      const grace = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, PIPE_GRACE_MS);
      child.once('close', () => clearTimeout(grace));
    });
    child.once('close', (code, signal) => resolve({ code, signal }));
  });

const missingProgram = (program: string, cause: unknown): BridgeError =>
  new BridgeError('missing_program', `This program could not be started: ${program}`, {
    data: { program },
    cause,
  });

const killGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: it is gone already. EPERM: macOS says so for a group of zombies.
    const errno = errnoOf(error);
    if (errno !== 'ESRCH' && errno !== 'EPERM') throw error;
  }
};

/**
 * Shell commands of turns: each in its own process group, without stdin, known to the watchdog and the
 * registry before it runs, and gone with everything it started when it ends, times out or is interrupted.
 * A process that leaves its group (setsid) is a stated limit. POSIX only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { BridgeError } from '@skein/core/protocol/errors';
import { type ProcessIdentity, processStart } from './host.ts';
import { newName } from './ids.ts';
import { ioFault } from './io-fault.ts';
import { openWatchdogLink, type WatchdogLink } from './process-group-link.ts';
import { CHILD_MARK, endGroups, type GroupEntry, groupIsAlive } from './process-group-members.ts';
import { collectOutput, type OutputCollector } from './process-group-output.ts';
import { type GroupRegistry, openGroupRegistry, sweepGroups } from './process-group-registry.ts';

export interface ProcessHostOptions {
  /** Absolute path of the watchdog's script and of the Node that runs it. */
  readonly watchdogScript: string;
  readonly nodePath: string;
  /** Private folder of the lists of running groups. */
  readonly registryDir: string;
  /** This process, as locks and leases know it. */
  readonly process: ProcessIdentity;
  /** What children see; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Runs commands as `SHELL -c COMMAND`; default `bash` from the PATH of `env`, else /bin/sh. */
  readonly shell?: string | undefined;
  /** Between TERM and KILL; default 2000. */
  readonly graceMs?: number | undefined;
  /** What goes wrong after a command has ended: its result stands. */
  readonly onFault: (error: unknown) => void;
}

export interface ShellRequest {
  readonly command: string;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
  readonly maxOutputBytes: number;
}

export interface ShellResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly interrupted: boolean;
  readonly output: string;
  readonly outputBytes: number;
  readonly truncated: boolean;
}

export interface OpenProcessHost {
  /** Faults: `io`, `internal` (no watchdog). A command that fails is a result. */
  shell(request: ShellRequest): Promise<ShellResult>;
  /** Ends what dead hosts left; call once at the start. Returns how many groups were listed. */
  sweep(): Promise<number>;
  /** Ends every running group, then the watchdog. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Waits for a line on descriptor 3, sent once the group is registered; if the host dies first, nothing runs. */
const GATE = [
  'IFS= read -r go <&3 || exit 125',
  'exec 3<&- 2>&1',
  'if command -v "$1" >/dev/null; then exec "$1" -c "$2"; fi',
  'exec /bin/sh -c "$2"',
].join('\n');

/** After the shell ended its group may still write for this long. */
const DRAIN_MS = 300;
/** With the group gone the pipes end by themselves, unless a process that left the group holds them. */
const CLOSE_MS = 3000;

/** Opens nothing on disk and starts nothing before the first command. */
export const openProcessHost = (options: ProcessHostOptions): OpenProcessHost => {
  const graceMs = options.graceMs ?? 2000;
  const link = openWatchdogLink({
    nodePath: options.nodePath,
    script: options.watchdogScript,
    env: options.env,
  });
  const running = new Map<number, GroupEntry>();
  let registry: Promise<GroupRegistry> | undefined;
  const host: Host = {
    options: { ...options, graceMs },
    link,
    running,
    registry: () => {
      registry ??= openGroupRegistry(options.registryDir, options.process).catch((error: unknown) => {
        // The next command tries again: a full disk passes.
        registry = undefined;
        throw error;
      });
      return registry;
    },
  };
  return {
    shell: (request) => runShell(host, request),
    sweep: () => sweepGroups(options.registryDir, { process: options.process, graceMs }),
    async [Symbol.asyncDispose]() {
      await endGroups([...running.values()], graceMs);
      link.close();
      (await registry)?.close();
    },
  };
};

interface Host {
  readonly options: ProcessHostOptions & { readonly graceMs: number };
  readonly link: WatchdogLink;
  readonly running: Map<number, GroupEntry>;
  readonly registry: () => Promise<GroupRegistry>;
}

const runShell = async (host: Host, request: ShellRequest): Promise<ShellResult> => {
  if (request.signal.aborted) {
    return { ...NOTHING, interrupted: true };
  }
  const registry = await host.registry();
  const mark = newName();
  const child = spawnGate(host.options, request, mark);
  const collector = collectOutput(request.maxOutputBytes);
  pump(child, collector, request.onOutput);
  const ended = endOf(child, request.cwd);
  // Awaited below; a failure before that must not count as unhandled.
  ended.catch(() => undefined);
  const pgid = child.pid;
  if (pgid === undefined) throw await ended.then(noPid, (error: unknown) => error);
  const group: GroupEntry = { pgid, start: processStart(pgid), mark };
  host.running.set(pgid, group);
  const stop = watchForStop(group, request, host.options.graceMs);
  try {
    registry.add(group);
    await host.link.add(group);
    release(child);
    const exit = await ended;
    await settle(child, group, host.options.graceMs);
    const rest = collector.flush();
    if (rest !== '') request.onOutput(rest);
    return { ...exit, ...stop.state(), ...collector.result() };
  } finally {
    stop.clear();
    await endGroups([group], host.options.graceMs);
    host.running.delete(pgid);
    host.link.remove(pgid);
    unregister(host, registry, pgid);
  }
};

/** A line that stays is harmless: a sweep knows a group by its mark, and this one is gone. */
const unregister = ({ options }: Host, registry: GroupRegistry, pgid: number): void => {
  try {
    registry.remove(pgid);
  } catch (error) {
    options.onFault(error);
  }
};

const NOTHING: ShellResult = {
  exitCode: null,
  signal: null,
  timedOut: false,
  interrupted: false,
  output: '',
  outputBytes: 0,
  truncated: false,
};

const noPid = (): BridgeError => new BridgeError('internal', 'The shell was started but has no process id.');

const spawnGate = (options: ProcessHostOptions, request: ShellRequest, mark: string): ChildProcess =>
  spawn('/bin/sh', ['-c', GATE, 'skein', options.shell ?? 'bash', request.command], {
    cwd: request.cwd,
    env: { ...options.env, [CHILD_MARK]: mark },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });

const pump = (child: ChildProcess, collector: OutputCollector, onOutput: (text: string) => void): void => {
  for (const pipe of [child.stdout, child.stderr]) {
    pipe?.on('data', (chunk: Buffer) => {
      const text = collector.add(chunk);
      if (text !== '') onOutput(text);
    });
  }
};

const release = (child: ChildProcess): void => {
  const gate = child.stdio[3];
  if (gate === null || gate === undefined || !('end' in gate)) throw noPid();
  // An interrupt may have ended the waiting shell already; its exit tells.
  gate.on('error', () => undefined);
  gate.end('go\n');
};

const endOf = (
  child: ChildProcess,
  cwd: string,
): Promise<{ readonly exitCode: number | null; readonly signal: string | null }> =>
  new Promise((resolve, reject) => {
    child.once('error', (error) => reject(ioFault(error, 'Starting a shell', cwd)));
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });

/** TERM, then KILL, of the whole group at the deadline or when the turn is interrupted. */
const watchForStop = (
  group: GroupEntry,
  request: ShellRequest,
  graceMs: number,
): { state: () => { timedOut: boolean; interrupted: boolean }; clear: () => void } => {
  const state = { timedOut: false, interrupted: false };
  const end = (): void => {
    endGroups([group], graceMs).catch(() => undefined);
  };
  const onAbort = (): void => {
    state.interrupted = true;
    end();
  };
  const timer = setTimeout(() => {
    state.timedOut = true;
    end();
  }, request.timeoutMs);
  request.signal.addEventListener('abort', onAbort, { once: true });
  if (request.signal.aborted) onAbort();
  return {
    state: () => ({ ...state }),
    clear: () => {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', onAbort);
    },
  };
};

/** Ends what the command left in the background and takes the last output out of the pipes. */
const settle = async (child: ChildProcess, group: GroupEntry, graceMs: number): Promise<void> => {
  const closed = new Promise<void>((resolve) => {
    if (child.stdout?.closed === true && child.stderr?.closed === true) resolve();
    else child.once('close', () => resolve());
  });
  await within(closed, DRAIN_MS);
  if (groupIsAlive(group.pgid)) await endGroups([group], graceMs);
  await within(closed, CLOSE_MS);
  child.stdout?.destroy();
  child.stderr?.destroy();
};

const within = async (promise: Promise<void>, ms: number): Promise<void> => {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, late]);
  clearTimeout(timer);
};

/** What the CLI needs from this process and this machine. */
import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Flows } from '../api/flows.ts';
import { appRouter } from '../api/router.ts';
import { localClient } from '../cli/clients.ts';
import type { CliDeps, Connection } from '../cli/deps.ts';
import type { Environment } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import { readProcessIdentity, terminalSession } from '../platform/host.ts';
import { isLogLevel, openLog } from '../platform/log.ts';
import { realPathOfFuture, resolveConfigDir, resolveDataDir } from '../platform/paths.ts';
import { createWaypoints } from '../settings/waypoints.ts';
import { findProgram } from './editor.ts';
import { findRunning } from './find-running.ts';
import { openAll } from './open-all.ts';
import { type OpenedParts, openParts } from './open-parts.ts';
import type { Place } from './place.ts';
import { serve } from './serve.ts';
import { wireFlows } from './wire-flows.ts';

export const cliDepsOf = async (environment: Environment, place: Place): Promise<CliDeps> => {
  const dataDir = await realPathOfFuture(resolveDataDir(environment.paths));
  const configDir = await realPathOfFuture(resolveConfigDir(environment.paths));
  const identity = readProcessIdentity({ hostIdFile: join(configDir, 'host-id') });
  const { nowIso, nowMs } = systemClock;
  const waypoints = createWaypoints({ path: join(dataDir, 'state', 'waypoints.json'), nowIso });
  const terminal = environment.terminal ?? terminalSession();
  return {
    argv: process.argv.slice(2),
    env: {
      cwd: await realpath(process.cwd()),
      stdinIsTty: process.stdin.isTTY === true,
      stdoutIsTty: process.stdout.isTTY === true,
      stderrIsTty: process.stderr.isTTY === true,
      columns: process.stdout.columns ?? null,
      color: environment.noColor ? false : environment.forceColor ? true : null,
      terminal,
      dataDir,
      shell: environment.shell ?? null,
      agent: environment.agent ?? null,
    },
    stdin: { readAll },
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    ask,
    onInterrupt,
    nowMs,
    findRunning: () => findRunning(dataDir, identity),
    openInProcess: () => openInProcess(environment, place),
    startBridge: ({ port }) => serve({ environment, place, port: port ?? null, onSignal: onInterrupt }),
    openBrowser: (url) => openBrowser(environment, url),
    async saveWaypoint(strand) {
      if (terminal !== null) await waypoints.set(terminal, strand);
    },
    logFault(error) {
      const level = environment.logLevel;
      openLog({
        dir: join(dataDir, 'logs'),
        level: level !== undefined && isLogLevel(level) ? level : 'info',
        nowIso,
        onFailure: (message) => process.emitWarning(message),
      }).error('A command failed', { error });
    },
    version: environment.version,
  };
};

const openInProcess = async (environment: Environment, place: Place): Promise<Connection> => {
  const opened = await openParts(environment, place, 'cli');
  const onFault = (error: unknown): void => opened.log.error('Closing after a failed start', { error });
  return openAll(async (stack) => {
    stack.defer(opened.close);
    return connectionOf(opened, await wireFlows(opened.parts, null));
  }, onFault);
};

const connectionOf = (opened: OpenedParts, flows: Flows): Connection => {
  const client = localClient(appRouter, { flows, caller: { kind: 'in_process' } });
  return {
    client,
    async close() {
      // Else a turn that ends well right now would start the next queued prompt, and nobody would stop that.
      opened.parts.running.stop();
      const turns = opened.parts.running.all();
      for (const turn of turns) turn.controller.abort();
      await Promise.all(turns.map(({ settled }) => settled));
      await opened.close();
    },
  };
};

/** A reader that went away (`skein strands | head`) ends the output, not the command. */
const outputOf = (stream: NodeJS.WriteStream): CliDeps['stdout'] => {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return { write: (text) => void stream.write(text) };
};

const readAll = async (): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin)
    chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
  return Buffer.concat(chunks).toString('utf8');
};

const ask = async (question: string, signal: AbortSignal): Promise<string | null> => {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<null>((resolve) => reader.once('close', () => resolve(null)));
  // The reader takes Ctrl-C from the terminal: hand it to whoever waits for it.
  reader.on('SIGINT', () => process.emit('SIGINT'));
  try {
    return await Promise.race([reader.question(question, { signal }), closed]);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  } finally {
    reader.close();
  }
};

const onInterrupt = (handler: () => void): (() => void) => {
  process.on('SIGINT', handler);
  process.on('SIGTERM', handler);
  return () => {
    process.off('SIGINT', handler);
    process.off('SIGTERM', handler);
  };
};

const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', linux: 'xdg-open' };

/** The link holds a one-time code that is used up within seconds; other local users may see it until then. */
const openBrowser = async (environment: Environment, url: string): Promise<boolean> => {
  if (environment.remote || !environment.display || environment.ci) return false;
  const program = await findProgram(OPENERS[process.platform] ?? '', environment.path);
  if (program === null) return false;
  const child = spawn(program, [url], { detached: true, stdio: 'ignore', env: { ...environment.inherited } });
  const started = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
  });
  child.unref();
  return started;
};

/**
 * The host's end of the watchdog's pipe. The watchdog starts with the first group, lives in a session of
 * its own, and never keeps its host running. A watchdog that died is replaced, and the groups that still
 * run are told to the new one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { BridgeError } from '@skein/core/protocol/errors';
import type { GroupEntry } from './process-group-members.ts';

export interface WatchdogLink {
  /** Resolves once the watchdog knows the group. Fault `internal` when it does not answer. */
  add(group: GroupEntry): Promise<void>;
  remove(pgid: number): void;
  close(): void;
}

interface Connection {
  readonly child: ChildProcess;
  readonly input: Writable;
  readonly waiting: Map<number, (error: Error | null) => void>;
  alive: boolean;
}

const ANSWER_MS = 10_000;

export const openWatchdogLink = (options: {
  readonly nodePath: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
}): WatchdogLink => {
  const groups = new Map<number, GroupEntry>();
  let current: Connection | null = null;
  const connect = (): Connection => {
    if (current?.alive === true) return current;
    current = start(options);
    for (const group of groups.values()) send(current, group);
    return current;
  };
  return {
    async add(group) {
      const connection = connect();
      groups.set(group.pgid, group);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      connection.waiting.set(group.pgid, (error) => (error === null ? resolve() : reject(error)));
      const timer = setTimeout(() => reject(silent()), ANSWER_MS);
      send(connection, group);
      try {
        await promise;
      } catch (error) {
        groups.delete(group.pgid);
        throw error;
      } finally {
        clearTimeout(timer);
        connection.waiting.delete(group.pgid);
      }
    },
    remove(pgid) {
      groups.delete(pgid);
      if (current?.alive === true) current.input.write(`end\t${pgid}\n`);
    },
    close() {
      current?.input.end();
      current = null;
    },
  };
};

const start = (options: {
  readonly nodePath: string;
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
}): Connection => {
  const child = spawn(options.nodePath, [options.script], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...options.env },
    detached: true,
    windowsHide: true,
  });
  const waiting = new Map<number, (error: Error | null) => void>();
  const connection: Connection = { child, input: child.stdin, waiting, alive: true };
  const lost = (): void => {
    connection.alive = false;
    for (const settle of waiting.values()) settle(silent());
  };
  child.on('error', lost);
  child.on('exit', lost);
  child.stdin.on('error', lost);
  createInterface({ input: child.stdout }).on('line', (line) => {
    waiting.get(Number(line.slice('ok '.length)))?.(null);
  });
  forget(child);
  return connection;
};

/** The host may end while the watchdog waits: that is what the watchdog is for. */
const forget = (child: ChildProcess): void => {
  child.unref();
  for (const pipe of [child.stdin, child.stdout] as (Writable | Readable | null)[]) {
    if (pipe !== null && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  }
};

const send = (connection: Connection, group: GroupEntry): void => {
  connection.input.write(`add\t${group.pgid}\t${group.start ?? ''}\t${group.mark}\n`);
};

const silent = (): BridgeError =>
  new BridgeError(
    'internal',
    'The watchdog of child processes does not answer, so the command was not started. Restart Skein.',
  );

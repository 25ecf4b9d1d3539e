/** Runs the CLI against a router of this process whose flows are plain functions of the test. */

import type { Flows } from '../../api/flows.ts';
import { appRouter } from '../../api/router.ts';
import { localClient } from '../clients.ts';
import type { CliDeps, CliEnvironment } from '../deps.ts';
import { runCli } from '../run-cli.ts';

export type SomeFlows = { readonly [Group in keyof Flows]?: Partial<Flows[Group]> };

/** What a flow that the test did not hand over does: fail loudly. */
export const flowsOf = (some: SomeFlows): Flows =>
  new Proxy(some, {
    get: (groups, group) =>
      new Proxy(Reflect.get(groups, group) ?? {}, {
        get: (verbs, verb) =>
          Reflect.get(verbs, verb) ??
          (() => {
            throw new Error(`the test expects no call of ${String(group)}.${String(verb)}`);
          }),
      }),
  }) as unknown as Flows;

export interface TestRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Browser pages, waypoints and faults that were asked for. */
  readonly opened: readonly string[];
  readonly waypoints: readonly string[];
  readonly faults: readonly unknown[];
  readonly closed: number;
  json(): unknown;
}

export interface TestOptions {
  readonly flows?: SomeFlows;
  readonly env?: Partial<CliEnvironment>;
  readonly deps?: Partial<CliDeps>;
  readonly stdin?: string;
  /** What the person at the terminal types, one question after another. */
  readonly answers?: readonly string[];
  /** Gets the handler of Ctrl-C while a command has one. */
  readonly onInterrupt?: (press: () => void) => void;
}

export const TEST_NOW = '2026-01-02T04:00:00.000Z';

export const runInTest = async (argv: readonly string[], options: TestOptions = {}): Promise<TestRun> => {
  const seen = { stdout: '', stderr: '', closed: 0 };
  const opened: string[] = [];
  const waypoints: string[] = [];
  const faults: unknown[] = [];
  const answers = [...(options.answers ?? [])];
  const client = localClient(appRouter, {
    flows: flowsOf(options.flows ?? {}),
    caller: { kind: 'in_process' },
  });
  const deps: CliDeps = {
    argv,
    env: { ...PLAIN_ENV, ...options.env },
    stdin: { readAll: async () => options.stdin ?? '' },
    stdout: {
      write: (text) => {
        seen.stdout += text;
      },
    },
    stderr: {
      write: (text) => {
        seen.stderr += text;
      },
    },
    ask: async (question) => {
      seen.stderr += question;
      return answers.shift() ?? null;
    },
    onInterrupt: (handler) => {
      options.onInterrupt?.(handler);
      return () => undefined;
    },
    nowMs: () => Date.parse(TEST_NOW),
    findRunning: async () => null,
    openInProcess: async () => ({
      client,
      close: async () => {
        seen.closed += 1;
      },
    }),
    startBridge: () => Promise.reject(new Error('the test starts no bridge')),
    openBrowser: async (url) => {
      opened.push(url);
      return true;
    },
    saveWaypoint: async (strand) => {
      waypoints.push(strand);
    },
    logFault: (error) => faults.push(error),
    version: '1.2.3',
    ...options.deps,
  };
  const code = await runCli(deps);
  return { ...seen, code, opened, waypoints, faults, json: () => JSON.parse(seen.stdout) };
};

const PLAIN_ENV: CliEnvironment = {
  cwd: '/srv/project',
  stdinIsTty: false,
  stdoutIsTty: false,
  stderrIsTty: false,
  columns: null,
  color: null,
  terminal: null,
  dataDir: '/srv/data',
  shell: '/bin/bash',
  agent: null,
};

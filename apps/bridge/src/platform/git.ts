/**
 * The only way to run git. A repository may be hostile: nothing that its config, attributes or hooks
 * name is run, nothing of the caller's environment reaches git (TRAPS B2, V2-V4b).
 */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { type ExecResult, runProgram } from './exec.ts';
import { errnoOf } from './io-fault.ts';

/** A git that was found once at the start. */
export interface Git {
  /** Absolute, never looked up in a working directory. */
  readonly path: string;
  readonly version: readonly [number, number, number];
}

export interface GitCall {
  readonly cwd: string;
  readonly args: readonly string[];
  readonly stdin?: Uint8Array | undefined;
  /** Added to the closed environment: GIT_DIR, GIT_INDEX_FILE, identities. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** More `-c name=value` after the hardening. */
  readonly config?: readonly string[] | undefined;
  readonly deadlineMs?: number | undefined;
  readonly maxOutputBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const HARDENING = [
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.hooksPath=/dev/null',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.attributesFile=/dev/null',
  'core.quotepath=false',
  'core.pager=cat',
  'core.editor=false',
  'core.sshCommand=/bin/false',
  'core.gitProxy=',
  'diff.external=',
  'commit.gpgsign=false',
  'tag.gpgsign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'credential.helper=',
  'safe.bareRepository=explicit',
];

/** Looks git up in the absolute entries of a PATH value; null when there is none that answers. */
export const findGit = async (pathValue: string): Promise<Git | null> => {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  for (const folder of pathValue.split(delimiter)) {
    const path = join(folder, name);
    if (!isAbsolute(folder) || !(await isExecutable(path))) continue;
    const version = await gitVersion(path);
    if (version !== null) return { path, version };
  }
  return null;
};

const isExecutable = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return false;
  }
};

/** `[2, 39, 5]`; null when the program does not answer like git. */
export const gitVersion = async (path: string): Promise<Git['version'] | null> => {
  const answer = await runProgram({
    program: path,
    args: ['version'],
    cwd: dirname(path),
    env: gitEnv(path),
    deadlineMs: 5000,
  });
  const match = /^git version (\d+)\.(\d+)(?:\.(\d+))?/.exec(answer.stdout.toString('utf8'));
  if (answer.code !== 0 || match === null) return null;
  return [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
};

export const isAtLeast = (git: Git, major: number, minor: number): boolean =>
  git.version[0] > major || (git.version[0] === major && git.version[1] >= minor);

/** The closed environment of every git. HOME is no folder, so that no file of the user is found through it. */
const gitEnv = (path: string): Record<string, string> => ({
  PATH: [dirname(path), '/usr/bin', '/bin'].join(delimiter),
  HOME: '/dev/null',
  LANG: 'C',
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_ASKPASS: '/bin/false',
  SSH_ASKPASS: '/bin/false',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_ALLOW_PROTOCOL: '',
});

/**
 * Runs git and resolves however it ended: the caller checks `code`. User text belongs after `--` or
 * `--end-of-options`. Commands that compare work files of the user's repository need `filtersOff` as their `env`.
 */
export const runGit = (git: Git, call: GitCall): Promise<ExecResult> => {
  const settings = [...HARDENING, ...(call.config ?? [])].flatMap((setting) => ['-c', setting]);
  return runProgram({
    program: git.path,
    args: [...settings, ...call.args],
    cwd: call.cwd,
    env: { ...gitEnv(git.path), ...call.env },
    stdin: call.stdin,
    deadlineMs: call.deadlineMs,
    maxOutputBytes: call.maxOutputBytes,
    signal: call.signal,
  });
};

/** Like `runGit`, but anything else than exit code 0 is a fault `io` with git's own words. */
export const mustGit = async (git: Git, call: GitCall): Promise<Buffer> => {
  const result = await runGit(git, call);
  if (result.code === 0 && !result.truncated) return result.stdout;
  const how = result.timedOut ? 'took too long' : `ended with ${result.code ?? result.signal ?? 'no answer'}`;
  throw new BridgeError('io', `git ${call.args[0] ?? ''} ${how}: ${result.stderr.trim().slice(0, 400)}`, {
    data: { errno: null, path: call.cwd, exitCode: result.code, timedOut: result.timedOut },
  });
};

const FILTER_KEY = /^filter\.(.*)\.[^.]+$/s;
const FILTER_OFF: readonly (readonly [string, string])[] = [
  ['clean', ''],
  ['smudge', ''],
  ['process', ''],
  ['required', 'false'],
];

/**
 * Environment that switches off every filter the repository's config defines (TRAPS V4b). By environment, not by
 * `-c`: there a filter named `a=b` would slip through. Fault `missing_program` before git 2.31, which cannot do it.
 */
export const filtersOff = async (git: Git, cwd: string): Promise<Record<string, string>> => {
  if (!isAtLeast(git, 2, 31)) {
    throw new BridgeError('missing_program', 'git 2.31 or newer is needed.', { data: { program: 'git' } });
  }
  const listed = await runGit(git, {
    cwd,
    args: ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'],
  });
  const drivers = new Set<string>();
  for (const key of listed.stdout.toString('utf8').split('\0')) {
    const driver = FILTER_KEY.exec(key)?.[1];
    if (driver !== undefined) drivers.add(driver);
  }
  const env: Record<string, string> = {};
  let count = 0;
  for (const driver of drivers) {
    for (const [name, value] of FILTER_OFF) {
      env[`GIT_CONFIG_KEY_${count}`] = `filter.${driver}.${name}`;
      env[`GIT_CONFIG_VALUE_${count}`] = value;
      count += 1;
    }
  }
  return { ...env, GIT_CONFIG_COUNT: String(count) };
};

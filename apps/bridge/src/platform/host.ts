/**
 * Who is running: machine, boot, PID namespace, process. A lease compares these (DESIGN section 4); a
 * pid alone is reused, and a boot id alone is the same in every container.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { newSecret } from './ids.ts';
import { errnoOf, ioFault } from './io-fault.ts';

export interface ProcessIdentity {
  readonly host: string;
  readonly boot: string;
  readonly ns: string;
  readonly pid: number;
  /** Start time in the system's own unit; null where it cannot be known. */
  readonly start: string | null;
}

/**
 * This process. `hostIdFile` (outside the data directory) keeps a random id for machines that have none;
 * without it the host name must do.
 */
export const readProcessIdentity = (options: { readonly hostIdFile?: string } = {}): ProcessIdentity => ({
  host: machineId() ?? (options.hostIdFile === undefined ? hostname() : storedHostId(options.hostIdFile)),
  boot: bootId(),
  ns: pidNamespace(),
  pid: process.pid,
  start: processStart(process.pid),
});

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
};

const machineId = (): string | null => {
  for (const path of ['/etc/machine-id', '/var/lib/dbus/machine-id']) {
    const text = readText(path);
    if (text !== null && /^[0-9a-f]{32}$/.test(text)) return text;
  }
  if (process.platform !== 'darwin') return null;
  return (
    /"IOPlatformUUID" = "([^"]+)"/.exec(
      ask('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']),
    )?.[1] ?? null
  );
};

const storedHostId = (path: string): string => {
  const known = readText(path);
  if (known !== null && /^[\w-]{20,}$/.test(known)) return known;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${newSecret()}\n`, { mode: 0o600, flag: known === null ? 'wx' : 'w' });
  } catch (error) {
    // Another process may have written it first; anything else leaves this machine without an id.
    if (errnoOf(error) !== 'EEXIST') throw ioFault(error, 'Saving the id of this machine', path);
  }
  return readText(path) ?? hostname();
};

const bootId = (): string => {
  const text = readText('/proc/sys/kernel/random/boot_id');
  if (text !== null) return text;
  const session =
    process.platform === 'darwin' ? ask('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).trim() : '';
  return session === '' ? 'unknown' : session;
};

const pidNamespace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return 'none';
  }
};

/** When a process started (Linux: clock ticks after boot); null when there is none, or only a zombie. */
export const processStart = (pid: number): string | null => {
  if (process.platform === 'linux') {
    const stat = readText(`/proc/${pid}/stat`);
    // The command name in brackets may hold spaces and brackets: fields are counted from the last one.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields === undefined || fields[0] === 'Z' || fields[0] === 'X') return null;
    return fields[19] ?? null;
  }
  if (process.platform !== 'darwin') return null;
  const text = ask('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]).trim();
  return text === '' ? null : text;
};

/**
 * Names the terminal this process was started in by the leader of its session, usually the shell; null where there is no
 * terminal or the system does not tell. A tty's own name would be given to the next window as well.
 */
export const terminalSession = (): string | null => {
  const stat = process.platform === 'linux' ? readText('/proc/self/stat') : null;
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [leader, tty] = [fields?.[3], fields?.[4]];
  if (leader === undefined || tty === undefined || tty === '0') return null;
  const start = processStart(Number(leader));
  return start === null ? null : `session:${bootId()}:${leader}:${start}`;
};

/** Whether that very process still runs in this PID namespace; without a start time the pid must do. */
export const isAlive = (pid: number, start: string | null): boolean => {
  if (!signalReaches(pid)) return false;
  if (process.platform !== 'linux' && process.platform !== 'darwin') return true;
  const now = processStart(pid);
  return now !== null && (start === null || now === start);
};

const signalReaches = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
};

/** Output of a small system program, empty when it failed: the callers have a second way. */
const ask = (program: string, args: readonly string[]): string => {
  try {
    return execFileSync(program, [...args], {
      encoding: 'utf8',
      timeout: 2000,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return '';
  }
};

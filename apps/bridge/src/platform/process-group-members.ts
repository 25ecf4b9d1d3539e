/**
 * Which processes belong to a group, and how to end them. A group is only ever signalled when it is proved
 * to be ours: its leader still has the start time we noted, or a member carries the mark that we put into
 * its environment. A recycled pid is never killed.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processStart } from './host.ts';
import { errnoOf } from './io-fault.ts';

/** A process group as it was registered. `start` is the leader's (see `processStart`). */
export interface GroupEntry {
  readonly pgid: number;
  readonly start: string | null;
  /** Value of `SKEIN_CHILD` in the environment of every member. */
  readonly mark: string;
}

export const CHILD_MARK = 'SKEIN_CHILD';

/** Ends groups: TERM, then KILL for what is left after `graceMs`. Resolves when none of ours is alive. */
export const endGroups = async (groups: readonly GroupEntry[], graceMs: number): Promise<void> => {
  let left = groups.filter(isOurGroup);
  for (const group of left) signalGroup(group.pgid, 'SIGTERM');
  for (let waited = 0; waited < graceMs && left.length > 0; waited += 50) {
    await sleep(50);
    left = left.filter((group) => groupIsAlive(group.pgid));
  }
  for (let tries = 0; tries < 20 && left.length > 0; tries += 1) {
    for (const group of left) signalGroup(group.pgid, 'SIGKILL');
    await sleep(25);
    left = left.filter((group) => groupIsAlive(group.pgid));
  }
};

/** Whether a group has a member that is more than a zombie. */
export const groupIsAlive = (pgid: number): boolean => signalGroup(pgid, 0) && membersOf(pgid).length > 0;

/** False when there is no such group any more. */
export const signalGroup = (pgid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(-pgid, signal);
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== 'ESRCH' && errno !== 'EPERM') throw error;
    return false;
  }
};

export const isOurGroup = (group: GroupEntry): boolean => {
  const start = processStart(group.pgid);
  if (start !== null && group.start !== null) return start === group.start;
  return membersOf(group.pgid).some((pid) => carriesMark(pid, group.mark));
};

const carriesMark = (pid: number, mark: string): boolean => {
  if (process.platform !== 'linux') return false;
  const environment = readOf(pid, 'environ');
  return environment?.split('\0').includes(`${CHILD_MARK}=${mark}`) ?? false;
};

/** Living members, zombies left out. */
const membersOf = (pgid: number): readonly number[] => {
  if (process.platform !== 'linux') return membersFromPs(pgid);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const stat = readOf(pid, 'stat');
      // The command name in brackets may hold spaces and brackets: fields are counted from the last one.
      const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
      return fields[2] === String(pgid) && fields[0] !== 'Z' && fields[0] !== 'X';
    });
};

const readOf = (pid: number, file: string): string | null => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    // It ended meanwhile, or it belongs to somebody else.
    if (errnoOf(error) === null) throw error;
    return null;
  }
};

const membersFromPs = (pgid: number): readonly number[] => {
  const text = execFileSync('/bin/ps', ['-axo', 'pid=,pgid=,stat='], { encoding: 'utf8', timeout: 2000 });
  return text.split('\n').flatMap((line) => {
    const [pid, group, stat = ''] = line.trim().split(/\s+/);
    return group === String(pgid) && !stat.startsWith('Z') ? [Number(pid)] : [];
  });
};

/**
 * The list of running groups on disk: `<dir>/<owner pid>-<name>.jsonl`, one line per group that started or
 * ended. It serves one purpose: when a host died together with its watchdog (power, out of memory), the
 * next start ends what is left. Lines are appended before the command runs.
 */
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makePrivateDir } from './files.ts';
import { isAlive, type ProcessIdentity } from './host.ts';
import { newName } from './ids.ts';
import { errnoOf, ioFault } from './io-fault.ts';
import { endGroups, type GroupEntry } from './process-group-members.ts';

const ownerSchema = z.object({
  host: z.string(),
  boot: z.string(),
  ns: z.string(),
  pid: z.number(),
  start: z.string().nullable(),
});
const lineSchema = z.union([
  z.object({ owner: ownerSchema }),
  z.object({ group: z.number(), start: z.string().nullable(), mark: z.string() }),
  z.object({ ended: z.number() }),
]);
type Line = z.infer<typeof lineSchema>;

export interface GroupRegistry {
  add(group: GroupEntry): void;
  remove(pgid: number): void;
  close(): void;
}

/** The file appears with the first call. Fault `io`. */
export const openGroupRegistry = async (dir: string, owner: ProcessIdentity): Promise<GroupRegistry> => {
  await makePrivateDir(dir);
  const file = join(dir, `${owner.pid}-${newName()}.jsonl`);
  const append = (line: Line): void => {
    try {
      appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    } catch (error) {
      throw ioFault(error, 'Registering a child process', file);
    }
  };
  append({ owner });
  return {
    add: (group) => append({ group: group.pgid, start: group.start, mark: group.mark }),
    remove: (pgid) => append({ ended: pgid }),
    close: () => rmSync(file, { force: true }),
  };
};

/** Ends the groups of hosts that are dead and removes their lists. Returns how many groups were listed there. */
export const sweepGroups = async (
  dir: string,
  options: { readonly process: ProcessIdentity; readonly graceMs: number },
): Promise<number> => {
  let ended = 0;
  for (const name of namesIn(dir).filter((entry) => entry.endsWith('.jsonl'))) {
    const file = join(dir, name);
    const lines = readLines(file);
    const owner = lines.find((line) => 'owner' in line)?.owner;
    const state = owner === undefined ? 'gone' : stateOf(owner, options.process);
    if (state === 'alive' || state === 'foreign') continue;
    if (state === 'dead') {
      const groups = openGroups(lines);
      await endGroups(groups, options.graceMs);
      ended += groups.length;
    }
    rmSync(file, { force: true });
  }
  return ended;
};

/** `gone`: of an earlier boot, whose pids mean nothing now. `foreign`: another machine or container. */
const stateOf = (owner: ProcessIdentity, us: ProcessIdentity): 'alive' | 'dead' | 'gone' | 'foreign' => {
  if (owner.host !== us.host) return 'foreign';
  if (owner.boot !== us.boot) return 'gone';
  if (owner.ns !== us.ns) return 'foreign';
  return isAlive(owner.pid, owner.start) ? 'alive' : 'dead';
};

const openGroups = (lines: readonly Line[]): readonly GroupEntry[] => {
  const groups = new Map<number, GroupEntry>();
  for (const line of lines) {
    if ('group' in line) groups.set(line.group, { pgid: line.group, start: line.start, mark: line.mark });
    else if ('ended' in line) groups.delete(line.ended);
  }
  return [...groups.values()];
};

const namesIn = (dir: string): readonly string[] => {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw ioFault(error, 'Reading the list of child processes', dir);
  }
};

/** Lines that are torn or not ours are skipped: a list is a help, no record. */
const readLines = (file: string): readonly Line[] => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    // Another host is sweeping at the same time.
    if (errnoOf(error) === 'ENOENT') return [];
    throw ioFault(error, 'Reading the list of child processes', file);
  }
  return text.split('\n').flatMap((line) => {
    const parsed = lineSchema.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
};

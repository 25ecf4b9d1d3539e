/**
 * Owner locks: a small file that says which process may do something. Used for strand leases, restore
 * locks, the data directory and upkeep. Invariant: two living processes of one machine never both hold
 * a lock; a crash leaves nothing that the next process cannot take over by itself.
 */
import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isAlive, type ProcessIdentity } from './host.ts';
import { newName } from './ids.ts';
import { errnoOf, ioFault } from './io-fault.ts';

const ownerSchema = z.object({
  host: z.string(),
  boot: z.string(),
  ns: z.string(),
  pid: z.number(),
  start: z.string().nullable(),
  nonce: z.string(),
  purpose: z.string(),
  at: z.string(),
});
export type LockOwner = z.infer<typeof ownerSchema>;

export interface HeldLock {
  readonly path: string;
  readonly nonce: string;
  /** Reads the file: false once somebody took the lock over or removed it. */
  isOurs(): boolean;
  /** Gives it back; a lock that is no longer ours is left alone. */
  release(): void;
}

export type LockOutcome =
  | { readonly kind: 'locked'; readonly lock: HeldLock }
  /** `foreign`: on another machine or in another container, so that only the user can say it is dead. */
  | {
      readonly kind: 'held';
      readonly holder: string;
      readonly foreign: boolean;
      readonly owner: LockOwner | null;
    };

export interface LockOptions {
  readonly process: ProcessIdentity;
  /** What it is for, shown to whoever finds it taken. */
  readonly purpose: string;
  /** The user said so: a foreign holder is taken for dead. A living process of this machine never is. */
  readonly takeOver?: boolean | undefined;
}

/** A file without readable contents is a crash between two system calls once it is this old. */
const UNREADABLE_AFTER_MS = 5000;

/** Takes the lock or says who holds it; never waits. The folder must exist. Fault `io`. */
export const takeLock = (path: string, options: LockOptions): LockOutcome => {
  const owner: LockOwner = {
    ...options.process,
    nonce: newName() + newName(),
    purpose: options.purpose,
    at: new Date().toISOString(),
  };
  if (createLock(path, owner)) return { kind: 'locked', lock: heldLock(path, owner.nonce) };
  const found = readOwner(path);
  if (found === 'absent') return takeLock(path, options);
  const verdict = judge(found, path, options);
  if (verdict !== 'dead') return heldBy(found, verdict === 'foreign');
  return replaceDead(path, { found, owner, options });
};

/** Like `takeLock`, but asks again until `waitMs` are over. */
export const takeLockSoon = async (
  path: string,
  options: LockOptions & { readonly waitMs: number },
): Promise<LockOutcome> => {
  const end = Date.now() + options.waitMs;
  for (;;) {
    const outcome = takeLock(path, options);
    if (outcome.kind === 'locked' || Date.now() >= end) return outcome;
    await sleep(10 + Math.random() * 20);
  }
};

/** Who holds a lock now; null when nobody does or its holder is dead. */
export const lockHolder = (path: string, process: ProcessIdentity): LockOwner | null => {
  const found = readOwner(path);
  if (found === 'absent' || found === null) return null;
  return judge(found, path, { process, purpose: '' }) === 'dead' ? null : found;
};

/**
 * Puts our lock in the place of a dead one. Only who holds the lock named after the dead owner's nonce may do
 * so, and looks again first: two processes that saw the same dead owner cannot both replace it.
 */
const replaceDead = (
  path: string,
  step: { readonly found: LockOwner | null; readonly owner: LockOwner; readonly options: LockOptions },
): LockOutcome => {
  const nonce = step.found?.nonce ?? 'unreadable';
  const turnstile = takeLock(`${path}.${nonce.slice(0, 24)}.over`, { ...step.options, takeOver: false });
  if (turnstile.kind === 'held') return turnstile;
  try {
    const now = readOwner(path);
    if (now === 'absent') return takeLock(path, step.options);
    if (now?.nonce !== step.found?.nonce) return heldBy(now, false);
    const temp = `${path}.${step.owner.nonce}`;
    try {
      writeFileSync(temp, JSON.stringify(step.owner), { flag: 'wx', mode: 0o600 });
      renameSync(temp, path);
    } finally {
      rmSync(temp, { force: true });
    }
  } catch (error) {
    throw ioFault(error, 'Taking over a lock', path);
  } finally {
    turnstile.lock.release();
  }
  const after = readOwner(path);
  if (after !== 'absent' && after?.nonce === step.owner.nonce) {
    return { kind: 'locked', lock: heldLock(path, step.owner.nonce) };
  }
  return heldBy(after === 'absent' ? null : after, false);
};

/** False when the file is there. The contents appear with the name: written beside it, then linked. */
const createLock = (path: string, owner: LockOwner): boolean => {
  const temp = `${path}.${owner.nonce}`;
  try {
    writeFileSync(temp, JSON.stringify(owner), { flag: 'wx', mode: 0o600 });
    try {
      linkSync(temp, path);
    } catch (error) {
      if (!NO_LINKS.has(errnoOf(error) ?? '')) throw error;
      createAtOnce(path, owner);
    }
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw ioFault(error, 'Taking a lock', path);
  } finally {
    rmSync(temp, { force: true });
  }
};

/** What file systems without hard links answer. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** The contents follow the name by one call. A name that got none is taken away again: nobody could tell whose it is. */
const createAtOnce = (path: string, owner: LockOwner): void => {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, JSON.stringify(owner));
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
};

const readOwner = (path: string): LockOwner | null | 'absent' => {
  try {
    const parsed = ownerSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    if (errnoOf(error) === 'ENOENT') return 'absent';
    throw ioFault(error, 'Reading a lock', path);
  }
};

const judge = (found: LockOwner | null, path: string, options: LockOptions): 'dead' | 'alive' | 'foreign' => {
  if (found === null) return ageMs(path) > UNREADABLE_AFTER_MS ? 'dead' : 'alive';
  const us = options.process;
  if (found.host === us.host && found.boot !== us.boot) return 'dead';
  if (found.host === us.host && found.ns === us.ns) return isAlive(found.pid, found.start) ? 'alive' : 'dead';
  return options.takeOver === true ? 'dead' : 'foreign';
};

const ageMs = (path: string): number => {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 0;
    throw ioFault(error, 'Reading a lock', path);
  }
};

const heldBy = (owner: LockOwner | null, foreign: boolean): LockOutcome => ({
  kind: 'held',
  holder: owner === null ? 'another process' : describe(owner, foreign),
  foreign,
  owner,
});

const describe = (owner: LockOwner, foreign: boolean): string => {
  const where = foreign ? ' in another container or on another machine' : '';
  return `process ${owner.pid}${where} (${owner.purpose}, since ${owner.at})`;
};

const heldLock = (path: string, nonce: string): HeldLock => {
  const isOurs = (): boolean => {
    const owner = readOwner(path);
    return owner !== 'absent' && owner?.nonce === nonce;
  };
  return {
    path,
    nonce,
    isOurs,
    release: () => {
      if (isOurs()) rmSync(path, { force: true });
    },
  };
};

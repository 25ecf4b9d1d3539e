/**
 * Folders of a workspace, opened one by one from the root so that no link on the way is ever followed (TRAPS T12).
 * On Linux every later call goes through `/proc/self/fd/N`: whoever swaps a parent for a link in between changes
 * nothing. Elsewhere the folder is looked at again before each change. Names are bytes: not every name is UTF-8.
 */
import { closeSync, constants, existsSync, fstatSync, fsync, lstatSync, openSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { promisify } from 'node:util';
import { errnoOf, ioFault } from './io-fault.ts';

/** A name or path in bytes, as the system has it. */
export type Name = Uint8Array;

export interface HeldDir {
  readonly fd: number;
  /** Device and inode, as one word. */
  readonly identity: string;
  /** Where an entry of this folder is reached. */
  at(name: Name): Buffer;
  /** Throws an `io` fault when the folder is no longer where it was opened. Called right before each change. */
  mustBeThere(): void;
  close(): void;
}

export type DirOutcome =
  /** `identities`: the root and every folder on the way, the opened one last. */
  | { readonly kind: 'open'; readonly dir: HeldDir; readonly identities: readonly string[] }
  /** The first `depth` parts exist, the next does not. */
  | { readonly kind: 'missing'; readonly depth: number; readonly identities: readonly string[] }
  | {
      readonly kind: 'blocked';
      readonly depth: number;
      readonly by: 'link' | 'not_a_folder' | 'unreadable';
    };

/** Both flags are 0 where a system has no such thing (Windows). */
export const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const OPEN_DIR = constants.O_RDONLY | NO_FOLLOW | (constants.O_DIRECTORY ?? 0);

/** Opens a folder below `root` (a real path). The caller closes it. Faults: `io` for anything unexpected. */
export const openDir = (root: string, parts: readonly Name[]): DirOutcome => {
  const identities: string[] = [];
  let dir = holdDir(Buffer.from(root), null);
  if (typeof dir === 'string')
    return { kind: 'blocked', depth: 0, by: dir === 'missing' ? 'unreadable' : dir };
  identities.push(dir.identity);
  for (const [depth, part] of parts.entries()) {
    const next: HeldDir | HoldFailure = holdNext(dir, part);
    if (typeof next === 'string') {
      return next === 'missing'
        ? { kind: 'missing', depth, identities }
        : { kind: 'blocked', depth, by: next };
    }
    dir = next;
    identities.push(dir.identity);
  }
  return { kind: 'open', dir, identities };
};

type HoldFailure = 'missing' | 'link' | 'not_a_folder' | 'unreadable';

/** Opens a folder in a held one, and closes the held one whatever happens. */
function holdNext(dir: HeldDir, part: Name): HeldDir | HoldFailure {
  try {
    return holdDir(dir.at(part), dir);
  } finally {
    dir.close();
  }
}

function holdDir(path: Buffer, parent: HeldDir | null): HeldDir | HoldFailure {
  try {
    const fd = openSync(path, OPEN_DIR);
    return heldDir(fd, path, parent);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') return 'missing';
    if (errno === 'EACCES' || errno === 'EPERM') return 'unreadable';
    if (errno !== 'ENOTDIR' && errno !== 'ELOOP' && errno !== 'EMLINK')
      throw ioFault(error, 'Opening a folder', show(path));
    return isLink(path) ? 'link' : 'not_a_folder';
  }
}

function isLink(path: Buffer): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

function heldDir(fd: number, path: Buffer, parent: HeldDir | null): HeldDir {
  const identity = identityOf(fstatSync(fd, { bigint: true }));
  const viaProc = process.platform === 'linux' && existsSync(`/proc/self/fd/${fd}`);
  const prefix = Buffer.concat([viaProc ? Buffer.from(`/proc/self/fd/${fd}`) : path, Buffer.from(sep)]);
  const dir: HeldDir = {
    fd,
    identity,
    at: (name) => Buffer.concat([prefix, name]),
    mustBeThere: () => {
      if (viaProc) return;
      parent?.mustBeThere();
      const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      if (now === undefined || !now.isDirectory() || identityOf(now) !== identity) {
        throw ioFault(new Error('a folder on the way was replaced'), 'Opening a folder', show(path));
      }
    },
    close: () => closeSync(fd),
  };
  if (!viaProc) closeIfGone(dir);
  return dir;
}

/** Without `/proc` the path was opened by name: look again that it is what was opened. */
function closeIfGone(dir: HeldDir): void {
  try {
    dir.mustBeThere();
  } catch (error) {
    dir.close();
    throw error;
  }
}

const identityOf = (stat: { readonly dev: bigint; readonly ino: bigint }): string =>
  `${stat.dev}:${stat.ino}`;

/** Device and inode of what a path leads to; null when there is nothing. */
export const identityOfPath = (path: string): string | null => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? null : identityOf(stat);
};

const syncFd = promisify(fsync);

/** Resolves when the entries of a held folder are on disk. */
export const syncHeldDir = async (dir: HeldDir): Promise<void> => {
  if (process.platform === 'win32') return;
  try {
    await syncFd(dir.fd);
  } catch (error) {
    // Some file systems have no fsync for folders; they promise nothing that we could ask for.
    if (errnoOf(error) !== 'EINVAL') throw ioFault(error, 'Saving a folder', dir.identity);
  }
};

/** For messages only. */
export const show = (path: Uint8Array): string => Buffer.from(path).toString('utf8');

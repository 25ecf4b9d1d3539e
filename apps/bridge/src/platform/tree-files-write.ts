/**
 * Changes to one name of a held folder. A file arrives whole: staged beside its target, synced, then put in place by
 * one system call, after a last look that the target is still what the caller saw. Nothing here follows a link.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errnoOf, ioFault } from './io-fault.ts';
import { writeNewSmall } from './small-files.ts';
import { type HeldDir, type Name, NO_FOLLOW, show } from './tree-files.ts';
import { type Stamp, sameStamp, stampOf, statName } from './tree-files-read.ts';

/** Null: nothing may be there. */
export type Expected = Stamp | null;
/** `moved`: the target is no longer what was expected; nothing was changed. */
export type Changed = 'done' | 'moved';

const TEMP_NAME = /^\.(write|restore)\.[0-9a-z]{12}\.skein-tmp$/;
const STAGE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;

export const tempName = (purpose: 'write' | 'restore', unique: string): string =>
  `.${purpose}.${unique}.skein-tmp`;

/** What the system gives a new file: read and write for all but for what the umask takes. */
export const newFileMode = (): number => 0o666 & ~process.umask();

/**
 * Makes the temp file and fills it. It has its final mode and is on disk, its name not yet, when this resolves.
 * After a fault the temp is gone again.
 */
export const stageFile = async (
  dir: HeldDir,
  temp: string,
  content: {
    readonly mode: number;
    readonly fill: (handle: FileHandle) => Promise<void>;
    /** The caller syncs it by `syncFile`. */
    readonly later?: boolean;
  },
): Promise<void> => {
  dir.mustBeThere();
  try {
    const handle = await open(dir.at(Buffer.from(temp)), STAGE, 0o600);
    try {
      await content.fill(handle);
      await handle.chmod(content.mode);
      if (content.later !== true) await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') removeTemp(dir, temp);
    throw ioFault(error, 'Writing a file', temp);
  }
};

/** The same for a content that is at hand; synced by `syncFile`. */
export const stageBytes = (
  dir: HeldDir,
  temp: string,
  content: { readonly mode: number; readonly bytes: Uint8Array },
): void => {
  dir.mustBeThere();
  try {
    writeNewSmall(dir.at(Buffer.from(temp)), content.bytes, { mode: content.mode, flags: STAGE });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') removeTemp(dir, temp);
    throw ioFault(error, 'Writing a file', temp);
  }
};

const syncFd = promisify(fsync);

/** A file that was staged is on disk when it resolves. Fault `io`. */
export const syncFile = async (dir: HeldDir, temp: string): Promise<void> => {
  dir.mustBeThere();
  try {
    const fd = openSync(dir.at(Buffer.from(temp)), constants.O_RDONLY | NO_FOLLOW);
    try {
      await syncFd(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw ioFault(error, 'Writing a file', temp);
  }
};

/** Writes everything or throws: a short write is an error that shows on the next call (TRAPS V16). */
export const writeFully = async (handle: FileHandle, bytes: Uint8Array): Promise<void> => {
  for (let offset = 0; offset < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, offset, bytes.length - offset);
    if (bytesWritten === 0) throw new Error('the system wrote nothing');
    offset += bytesWritten;
  }
};

/** Puts a staged file in place. Where nothing may be, a file that appeared meanwhile is never overwritten. */
export const putInPlace = (
  dir: HeldDir,
  step: { readonly temp: string; readonly name: Name; readonly expected: Expected },
): Changed => {
  const temp = dir.at(Buffer.from(step.temp));
  const target = dir.at(step.name);
  dir.mustBeThere();
  if (!isAsExpected(dir, step)) return 'moved';
  try {
    if (step.expected === null) return linkIntoPlace(temp, target);
    renameSync(temp, target);
    return 'done';
  } catch (error) {
    throw ioFault(error, 'Writing a file', show(step.name));
  }
};

/** `link` fails when the name exists; `rename` would replace it. Not every file system has hard links. */
function linkIntoPlace(temp: Buffer, target: Buffer): Changed {
  try {
    linkSync(temp, target);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST') return 'moved';
    if (errno !== 'EPERM' && errno !== 'ENOTSUP' && errno !== 'EOPNOTSUPP' && errno !== 'EMLINK') throw error;
    renameSync(temp, target);
    return 'done';
  }
  unlinkSync(temp);
  return 'done';
}

/** Makes a link where nothing is. */
export const makeLink = (dir: HeldDir, name: Name, target: Uint8Array): Changed => {
  dir.mustBeThere();
  try {
    symlinkSync(Buffer.from(target), dir.at(name));
    return 'done';
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return 'moved';
    throw ioFault(error, 'Making a link', show(name));
  }
};

/** Stages a link, to be put in place of something by `putInPlace`. */
export const stageLink = (dir: HeldDir, temp: string, target: Uint8Array): void => {
  dir.mustBeThere();
  try {
    symlinkSync(Buffer.from(target), dir.at(Buffer.from(temp)));
  } catch (error) {
    throw ioFault(error, 'Making a link', temp);
  }
};

/** Removes a file or link that is still what was expected. */
export const removeName = (dir: HeldDir, name: Name, expected: Stamp): Changed => {
  dir.mustBeThere();
  if (!isAsExpected(dir, { name, expected })) return 'moved';
  try {
    unlinkSync(dir.at(name));
    return 'done';
  } catch (error) {
    throw ioFault(error, 'Deleting a file', show(name));
  }
};

/** Changes the permission bits of a file that is still what was expected; content and mtime stay. */
export const setMode = (
  dir: HeldDir,
  step: { readonly name: Name; readonly expected: Stamp; readonly mode: number },
): Changed => {
  dir.mustBeThere();
  if (!isAsExpected(dir, step)) return 'moved';
  try {
    const fd = openSync(dir.at(step.name), constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0));
    try {
      if (!sameStamp(stampOf(fstatSync(fd, { bigint: true })), step.expected)) return 'moved';
      fchmodSync(fd, step.mode);
      return 'done';
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw ioFault(error, 'Changing permissions', show(step.name));
  }
};

export const makeDir = (dir: HeldDir, name: Name): 'made' | 'there' => {
  dir.mustBeThere();
  try {
    mkdirSync(dir.at(name), 0o777);
    return 'made';
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return 'there';
    throw ioFault(error, 'Making a folder', show(name));
  }
};

/** Not empty, no folder, or a folder that the system does not let us remove. */
const KEEPS_FOLDER: ReadonlySet<string> = new Set([
  'ENOTEMPTY',
  'EEXIST',
  'ENOTDIR',
  'EBUSY',
  'EACCES',
  'EPERM',
  'EROFS',
]);

/** Removes a folder when it is empty; one that holds anything is kept. */
export const removeEmptyDir = (dir: HeldDir, name: Name): 'removed' | 'kept' | 'absent' => {
  dir.mustBeThere();
  try {
    rmdirSync(dir.at(name));
    return 'removed';
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'ENOENT') return 'absent';
    if (errno !== null && KEEPS_FOLDER.has(errno)) return 'kept';
    throw ioFault(error, 'Removing a folder', show(name));
  }
};

/** Removes a temp of ours, and only that: the name must be one that we make, the entry a regular file or link. */
export const removeTemp = (dir: HeldDir, temp: string): boolean => {
  const name = Buffer.from(temp);
  if (!TEMP_NAME.test(temp)) return false;
  const stat = statName(dir, name);
  if (stat === null || !(stat.isFile() || stat.isSymbolicLink())) return false;
  try {
    unlinkSync(dir.at(name));
    return true;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw ioFault(error, 'Deleting a file', temp);
  }
};

function isAsExpected(dir: HeldDir, step: { readonly name: Name; readonly expected: Expected }): boolean {
  const stat = statName(dir, step.name);
  if (stat === null || step.expected === null) return stat === null && step.expected === null;
  return sameStamp(stampOf(stat), step.expected);
}

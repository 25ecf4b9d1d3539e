/** Turns errno values of the system into faults with one sentence for a person. */
import { BridgeError } from '@skein/core/protocol/errors';

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than the system allows',
  EACCES: 'permission was denied',
  EPERM: 'the system does not allow it',
  EROFS: 'the file system is read-only',
  EIO: 'the disk reported an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this machine',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'there are too many links on the way',
};

/** `ENOENT` and the like; null when the value is no system error. */
export const errnoOf = (error: unknown): string | null => {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : null;
};

/**
 * An `io` fault: "`doing` failed: the disk is full (ENOSPC): /path". `doing` names the action, as in
 * "Writing the session". A BridgeError comes back as it is.
 */
export const ioFault = (error: unknown, doing: string, path: string): BridgeError => {
  if (error instanceof BridgeError) return error;
  const errno = errnoOf(error);
  const reason = errno === null ? 'an unexpected error' : (REASONS[errno] ?? 'the system refused');
  const code = errno === null ? '' : ` (${errno})`;
  return new BridgeError('io', `${doing} failed: ${reason}${code}: ${path}`, {
    data: { errno, path },
    cause: error,
  });
};

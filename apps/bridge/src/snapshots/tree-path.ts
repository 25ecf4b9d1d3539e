/** Paths of a workspace as parts in bytes, and as they travel (`PathRef`). */
import { BridgeError } from '@skein/core/protocol/errors';
import type { PathRef } from '@skein/core/record/path-ref';
import type { Name } from '../platform/tree-files.ts';
import { protectedNameIn } from './protected-paths.ts';

/** Parts below the root; never empty, `.`, `..` or with a slash or NUL in one. */
export type Parts = readonly Name[];

const SLASH = 0x2f;

/**
 * Fault `unreadable` for a path that leads out of the root or to a protected name: a journal of ours never holds one,
 * so whoever wrote it wants a restore to do what no tool may.
 */
export const partsOf = (path: PathRef): Parts => {
  const bytes = typeof path === 'string' ? Buffer.from(path, 'utf8') : Buffer.from(path.b64, 'base64');
  const parts = splitBytes(bytes);
  if (parts.length > 0 && parts.every(isName) && protectedNameIn(parts) === null) return parts;
  throw new BridgeError('unreadable', 'The journal names a path that a restore may not touch.', {
    data: { path },
  });
};

export const refOf = (parts: Parts): PathRef => {
  const bytes = joinParts(parts);
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : { b64: bytes.toString('base64') };
};

export const splitBytes = (bytes: Uint8Array): Buffer[] => {
  const parts: Buffer[] = [];
  let start = 0;
  for (let end = 0; end <= bytes.length; end += 1) {
    if (end < bytes.length && bytes[end] !== SLASH) continue;
    parts.push(Buffer.from(bytes.subarray(start, end)));
    start = end + 1;
  }
  return parts;
};

export const joinParts = (parts: Parts): Buffer =>
  Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from('/'), part])));

/** The folder of a path and its last name. */
export const splitLast = (parts: Parts): { readonly folder: Parts; readonly name: Name } => {
  const name = parts.at(-1);
  if (name === undefined) throw new BridgeError('internal', 'The root itself has no name.');
  return { folder: parts.slice(0, -1), name };
};

function isName(part: Name): boolean {
  const text = Buffer.from(part).toString('latin1');
  return text !== '' && text !== '.' && text !== '..' && !text.includes('\0');
}

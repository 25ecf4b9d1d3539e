/** What a session notes about the repository it runs in. Reads only; a hostile repository runs nothing. */
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { PathRef } from '@skein/core/record/path-ref';
import type { RecordOf } from '@skein/core/record/schema';
import { filtersOff, type Git, isAtLeast, runGit } from './git.ts';
import { errnoOf } from './io-fault.ts';
import { isInside } from './paths.ts';

/** `dirty`: changed and untracked paths, at most 50 and 2 KiB, so that a header stays under 4 KiB. */
export type RepoSnapshot = NonNullable<RecordOf<'header'>['repo']>;

const MAX_DIRTY = 50;
const MAX_DIRTY_BYTES = 2048;

/**
 * The top folder of the work tree around `cwd`; null without git, outside a repository, in one of another owner, or
 * when its config names a work tree that does not hold its `.git` (`core.worktree=/` of a hostile repository).
 */
export const topLevel = async (git: Git | null, cwd: string): Promise<string | null> => {
  if (git === null) return null;
  const answer = await runGit(git, { cwd, args: ['rev-parse', '--show-toplevel'], deadlineMs: 10_000 });
  if (answer.code !== 0) return null;
  const top = answer.stdout.toString('utf8').replace(/\n$/, '');
  if (top === '') return null;
  try {
    const [realTop, realCwd] = [await realpath(top), await realpath(cwd)];
    await lstat(join(realTop, '.git'));
    return isInside(realCwd, realTop) ? realTop : null;
  } catch (error) {
    if (errnoOf(error) === null) throw error;
    return null;
  }
};

/** Branch, commit and changed paths; null where `topLevel` is. `dirty` is empty when git was too slow or too old to tell. */
export const repoSnapshot = async (git: Git | null, cwd: string): Promise<RepoSnapshot | null> => {
  const root = await topLevel(git, cwd);
  if (git === null || root === null || !isAtLeast(git, 2, 31)) return null;
  const status = await runGit(git, {
    cwd: root,
    // A submodule's own config would be read by a child git without our overrides: they are not looked into.
    args: [
      'status',
      '--porcelain=v2',
      '-z',
      '--branch',
      '--no-renames',
      '--ignore-submodules=all',
      '--untracked-files=normal',
    ],
    env: await filtersOff(git, root),
    deadlineMs: 10_000,
  });
  if (status.code !== 0) return { root, branch: null, head: null, dirty: [] };
  return { root, ...parseStatus(status.stdout) };
};

/** git-status(1), porcelain format version 2 with -z. */
export const parseStatus = (bytes: Buffer): Omit<RepoSnapshot, 'root'> => {
  let branch: string | null = null;
  let head: string | null = null;
  const dirty: PathRef[] = [];
  let room = MAX_DIRTY_BYTES;
  for (const entry of splitNul(bytes)) {
    const text = entry.toString('utf8');
    if (text.startsWith('# branch.oid ')) head = text.slice(13) === '(initial)' ? null : text.slice(13);
    else if (text.startsWith('# branch.head '))
      branch = text.slice(14) === '(detached)' ? null : text.slice(14);
    const path = pathOf(entry, text.charAt(0));
    if (path === null || dirty.length >= MAX_DIRTY || path.length + 8 > room) continue;
    room -= path.length + 8;
    dirty.push(pathRefOf(path));
  }
  return { branch, head, dirty };
};

const splitNul = function* (bytes: Buffer): Generator<Buffer> {
  let from = 0;
  for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
    yield bytes.subarray(from, end);
    from = end + 1;
  }
};

/** Fields before the path: `1` has 8, `u` has 10, `?` has 1. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

const pathOf = (entry: Buffer, kind: string): Buffer | null => {
  const fields = FIELDS[kind];
  if (fields === undefined) return null;
  let at = 0;
  for (let field = 0; field < fields; field += 1) at = entry.indexOf(0x20, at) + 1;
  return entry.subarray(at);
};

/** Bytes of a path as they travel: text when they are UTF-8, else base64. */
export const pathRefOf = (bytes: Buffer): PathRef => {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : { b64: bytes.toString('base64') };
};

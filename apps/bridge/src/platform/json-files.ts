/** Small JSON files that several processes edit: settings, credentials, waypoints, page state. */
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { makePrivateDir, readFileIfThere, statIfThere, writeFileAtomic } from './files.ts';
import { readProcessIdentity } from './host.ts';
import { errnoOf, ioFault } from './io-fault.ts';
import { type LockOutcome, takeLock, takeLockSoon } from './lock.ts';

export type JsonObject = { readonly [key: string]: unknown };

const LOCK_WAIT_MS = 10_000;
const FOREIGN_STALE_MS = 60_000;

/** The parsed file, null when there is none. Fault `unreadable` when it is no JSON; the file is left as it is. */
export const readJsonIfThere = async (path: string): Promise<unknown> => {
  const bytes = await readFileIfThere(path);
  if (bytes === null) return null;
  try {
    return JSON.parse(new TextDecoder('utf-8').decode(bytes));
  } catch (error) {
    throw new BridgeError('unreadable', `This file is not valid JSON; repair or remove it: ${path}`, {
      data: { path },
      cause: error,
    });
  }
};

/**
 * Reads, edits and atomically replaces a JSON object while holding `<path>.lock`; an absent file is `{}`. `edit` gets
 * the whole object, so that keys it does not know survive. Durable when it resolves; a link stays a link.
 * Faults: `busy` after 10 s, `unreadable` (the file is left alone), `io`.
 */
export const updateJsonFile = async (
  path: string,
  edit: (current: JsonObject) => JsonObject,
): Promise<JsonObject> => {
  const target = await followLink(path);
  await makePrivateDir(dirname(target));
  const outcome = await lockFor(target);
  if (outcome.kind === 'held') {
    throw new BridgeError('busy', `Another process is changing this file: ${path}`, {
      data: { holder: outcome.holder },
    });
  }
  try {
    const current = await readJsonIfThere(target);
    if (current !== null && !isObject(current)) {
      throw new BridgeError('unreadable', `This file must hold a JSON object: ${path}`, { data: { path } });
    }
    const next = edit(current ?? {});
    if (current === null || JSON.stringify(next) !== JSON.stringify(current)) {
      await writeFileAtomic(target, `${JSON.stringify(next, null, 2)}\n`);
    }
    return next;
  } finally {
    outcome.lock.release();
  }
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Such a lock is held for milliseconds: one of another machine that is a minute old was left behind. */
const lockFor = async (target: string): Promise<LockOutcome> => {
  const path = `${target}.lock`;
  const options = { process: readProcessIdentity(), purpose: 'changing a file' };
  const outcome = await takeLockSoon(path, { ...options, waitMs: LOCK_WAIT_MS });
  if (outcome.kind === 'locked' || !outcome.foreign) return outcome;
  const stat = await statIfThere(path);
  const stale = stat !== null && Date.now() - Number(stat.mtimeMs) > FOREIGN_STALE_MS;
  return stale ? takeLock(path, { ...options, takeOver: true }) : outcome;
};

const followLink = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return path;
    throw ioFault(error, 'Reading a file', path);
  }
};

/** Contents out of a store, by git's id. Git reads them, since its gc makes deltas of our packs. */
import { BridgeError } from '@skein/core/protocol/errors';
import { statIfThere } from '../../platform/files.ts';
import { type Git, mustGit } from '../../platform/git.ts';
import type { StoreDir } from './store-dir.ts';

const BATCH_BYTES = 64 * 1024 * 1024;

export interface Wanted {
  readonly oid: string;
  readonly bytes: number;
}

/** In the order asked for; null where the store does not have it. Fault `io`. */
export const readBlobs = async function* (
  git: Git,
  store: StoreDir,
  wanted: readonly Wanted[],
): AsyncGenerator<{ readonly oid: string; readonly bytes: Buffer | null }> {
  const isThere = (await statIfThere(store.gitDir)) !== null;
  if (!isThere) yield* wanted.map(({ oid }) => ({ oid, bytes: null }));
  for (const batch of isThere ? batchesOf(wanted) : []) {
    const output = await mustGit(git, {
      cwd: store.gitDir,
      args: ['--git-dir', store.gitDir, 'cat-file', '--batch'],
      stdin: Buffer.from(batch.map(({ oid }) => `${oid}\n`).join('')),
      deadlineMs: 120_000,
      maxOutputBytes: Number.MAX_SAFE_INTEGER,
    });
    let at = 0;
    for (const { oid } of batch) {
      const end = output.indexOf(0x0a, at);
      const [, type, size] = output.subarray(at, end).toString('latin1').split(' ');
      at = end + 1;
      if (type === 'missing') {
        yield { oid, bytes: null };
        continue;
      }
      const length = Number(size);
      if (end < 0 || type !== 'blob' || !Number.isSafeInteger(length))
        throw new BridgeError('io', `git cat-file gave no content for ${oid}.`, {
          data: { path: store.gitDir },
        });
      yield { oid, bytes: output.subarray(at, at + length) };
      at += length + 1;
    }
  }
};

const batchesOf = function* (wanted: readonly Wanted[]): Generator<readonly Wanted[]> {
  let batch: Wanted[] = [];
  let size = 0;
  for (const one of wanted) {
    if (batch.length > 0 && size + one.bytes > BATCH_BYTES) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(one);
    size += one.bytes;
  }
  if (batch.length > 0) yield batch;
};

/** Those of the ids that the store does not have. Fault `io`. */
export const missingOf = async (
  git: Git,
  store: StoreDir,
  oids: readonly string[],
): Promise<readonly string[]> => {
  if (oids.length === 0) return [];
  const output = await mustGit(git, {
    cwd: store.gitDir,
    args: ['--git-dir', store.gitDir, 'cat-file', '--batch-check'],
    stdin: Buffer.from(oids.map((oid) => `${oid}\n`).join('')),
    deadlineMs: 120_000,
  });
  const lines = output.toString('latin1').split('\n');
  return lines.filter((line) => line.endsWith(' missing')).map((line) => line.slice(0, line.indexOf(' ')));
};

/** Large contents beside the strands, named by their hash: `spills/<aa>/<sha256>`. The same content is kept once. */
import { createHash } from 'node:crypto';
import { BridgeError } from '@skein/core/protocol/errors';
import { readRange } from '../platform/line-reader.ts';
import { openBlob, storeBytes } from '../platform/tree-files-blobs.ts';

export interface SpillRange {
  readonly bytes: Uint8Array;
  /** Size of the whole content. */
  readonly total: number;
}

const SHA256 = /^[0-9a-f]{64}$/;

/** Resolves when content and name are on disk. Fault `io`. */
export const writeSpill = async (spills: string, bytes: Uint8Array): Promise<void> => {
  // The page reads parts of it.
  await storeBytes(spills, bytes, { raw: true });
};

/** The whole content, checked against its name. Faults: `not_found`, `unreadable` (damaged), `io`. */
export const readSpill = async (spills: string, sha256: string): Promise<Uint8Array> => {
  const { path, total } = await mustFind(spills, sha256);
  const bytes = await readRange(path, 0, total);
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new BridgeError('unreadable', 'A large content of this session is damaged on disk.', {
    data: { sha256 },
  });
};

/** A part for display, not checked. Faults: `not_found`, `io`. */
export const readSpillRange = async (
  spills: string,
  range: { readonly sha256: string; readonly offset: number; readonly limit: number },
): Promise<SpillRange> => {
  const { path, total } = await mustFind(spills, range.sha256);
  const length = Math.max(0, Math.min(range.limit, total - range.offset));
  return { bytes: await readRange(path, range.offset, length), total };
};

const mustFind = async (
  spills: string,
  sha256: string,
): Promise<{ readonly path: string; readonly total: number }> => {
  const handle = SHA256.test(sha256) ? await openBlob(spills, sha256) : null;
  if (handle === null) {
    throw new BridgeError('not_found', 'There is no such large content.', {
      data: { sha256: sha256.slice(0, 64) },
    });
  }
  try {
    return { path: `${spills}/${sha256.slice(0, 2)}/${sha256}`, total: (await handle.stat()).size };
  } finally {
    await handle.close();
  }
};

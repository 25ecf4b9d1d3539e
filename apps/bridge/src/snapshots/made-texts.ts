/** Contents that a plan makes: merges, texts with markers, chosen hunks. On disk only when the plan is carried out. */
import { createHash } from 'node:crypto';
import type { Sha256 } from '@skein/core/record/ids';
import type { FileState } from '@skein/core/restore/file-state';
import { storeBytes } from '../platform/tree-files-blobs.ts';
import { blobsDir, type SnapshotStoreDeps } from './deps.ts';

export interface MadeTexts {
  /** The state of a file with this content; `text` has one character a byte. */
  readonly make: (text: string, mode: number) => FileState;
  /** By sha256, for showing. */
  readonly texts: ReadonlyMap<string, Uint8Array>;
  /** All of those that `wanted` names are among the blobs when it resolves. Fault `io`. */
  readonly park: (deps: SnapshotStoreDeps, wanted: readonly FileState[]) => Promise<void>;
}

export const createMadeTexts = (): MadeTexts => {
  const texts = new Map<string, Uint8Array>();
  return {
    texts,
    make(text, mode) {
      const bytes = Buffer.from(text, 'latin1');
      const sha256 = createHash('sha256').update(bytes).digest('hex') as Sha256;
      texts.set(sha256, bytes);
      return { type: 'file', sha256, bytes: bytes.length, mode };
    },
    async park(deps, wanted) {
      for (const state of wanted) {
        const bytes = state.type === 'file' ? texts.get(state.sha256) : undefined;
        if (bytes !== undefined) await storeBytes(blobsDir(deps), bytes);
      }
    },
  };
};

/** One character a byte, so that every encoding survives; null where a line is no meaningful thing. */
export const latin1Of = (version: { readonly kind: string; readonly bytes?: Uint8Array }): string | null => {
  if (version.kind !== 'bytes' || version.bytes === undefined || version.bytes.includes(0)) return null;
  return Buffer.from(version.bytes).toString('latin1');
};

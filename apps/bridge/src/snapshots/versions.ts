/** Contents as text: for previews, diffs and line counts. Never for writing a file. */

import type { LineCounts } from '@skein/core/restore/effects';
import type { FileState } from '@skein/core/restore/file-state';
import { decodeUtf8 } from '@skein/core/text/utf8';
import { diffLines } from 'diff';
import { readBlob } from '../platform/tree-files-blobs.ts';
import { blobsDir, type SnapshotStoreDeps } from './deps.ts';
import type { TreeTexts } from './tree-versions.ts';

/** Longer texts are not shown or compared line by line. */
export const MAX_TEXT_BYTES = 512 * 1024;
/** Beyond this many changed lines a count is not worth the wait. */
const MAX_EDITS = 4000;
const DIFF_TIMEOUT_MS = 500;

export type Version =
  | { readonly kind: 'absent' }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** Not at hand: too long, lost, a folder or a device. */
  | { readonly kind: 'unknown' };

/** A parked version, or one of those read from a tree store; a link reads as its target. Fault `io`. */
export const readVersion = async (
  deps: SnapshotStoreDeps,
  state: FileState,
  inTrees?: TreeTexts,
): Promise<Version> => {
  switch (state.type) {
    case 'absent':
      return { kind: 'absent' };
    case 'link':
      return { kind: 'bytes', bytes: Buffer.from(state.target) };
    case 'file': {
      if (state.bytes > MAX_TEXT_BYTES) return { kind: 'unknown' };
      const bytes = inTrees?.get(state.sha256) ?? (await readBlob(blobsDir(deps), state.sha256));
      return bytes === null ? { kind: 'unknown' } : { kind: 'bytes', bytes };
    }
    case 'dir':
    case 'other':
      return { kind: 'unknown' };
  }
};

/** Null where a line is not a meaningful thing: binary, too long, too different. */
export const countLines = (before: Version, after: Version): LineCounts | null => {
  const [from, to] = [linesOf(before), linesOf(after)];
  if (from === null || to === null) return null;
  const changes = diffLines(from, to, { maxEditLength: MAX_EDITS, timeout: DIFF_TIMEOUT_MS });
  if (changes === undefined) return null;
  let [added, removed] = [0, 0];
  for (const change of changes) {
    if (change.added) added += change.count;
    if (change.removed) removed += change.count;
  }
  return { added, removed };
};

/** One character a byte: lines can be counted whatever the encoding is. */
function linesOf(version: Version): string | null {
  if (version.kind === 'absent') return '';
  if (version.kind === 'unknown' || version.bytes.includes(0)) return null;
  return Buffer.from(version.bytes).toString('latin1');
}

export interface ShownText {
  /** Null where absent, binary or too long. */
  readonly text: string | null;
  readonly binary: boolean;
}

export const showText = (version: Version): ShownText => {
  if (version.kind !== 'bytes') return { text: null, binary: false };
  const text = version.bytes.includes(0) ? null : decodeUtf8(version.bytes);
  return { text, binary: text === null };
};

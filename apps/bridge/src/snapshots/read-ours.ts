/** What lies on disk now, for showing and merging: it was not parked for a preview, so it is read where it lies. */
import type { PathRef } from '@skein/core/record/path-ref';
import type { FileState } from '@skein/core/restore/file-state';
import { openDir } from '../platform/tree-files.ts';
import { readFound } from '../platform/tree-files-read.ts';
import { partsOf, splitLast } from './tree-path.ts';
import { MAX_TEXT_BYTES, type Version } from './versions.ts';

/** `unknown` when it is no longer what `ours` says, or too long. Fault `io`. */
export const readOurs = async (root: string, path: PathRef, ours: FileState): Promise<Version> => {
  if (ours.type === 'absent') return { kind: 'absent' };
  if (ours.type === 'link') return { kind: 'bytes', bytes: Buffer.from(ours.target) };
  if (ours.type !== 'file' || ours.bytes > MAX_TEXT_BYTES) return { kind: 'unknown' };
  const { folder, name } = splitLast(partsOf(path));
  const opened = openDir(root, folder);
  if (opened.kind !== 'open') return { kind: 'unknown' };
  try {
    const chunks: Uint8Array[] = [];
    const found = await readFound(opened.dir, name, async (chunk) => {
      if (chunk === null) chunks.length = 0;
      else chunks.push(Buffer.from(chunk));
    });
    const isSame = found.type === 'file' && found.sha256 === ours.sha256;
    return isSame ? { kind: 'bytes', bytes: Buffer.concat(chunks) } : { kind: 'unknown' };
  } finally {
    opened.dir.close();
  }
};

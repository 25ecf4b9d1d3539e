/** Looks at paths of a workspace and says what lies there in the words of core; on demand parks the content first. */

import type { Sha256 } from '@skein/core/record/ids';
import type { FileState } from '@skein/core/restore/file-state';
import { type DirOutcome, openDir } from '../platform/tree-files.ts';
import { type Park, storeFound } from '../platform/tree-files-blobs.ts';
import { type Found, readFound, type Stamp } from '../platform/tree-files-read.ts';
import { type Parts, splitLast } from './tree-path.ts';

export interface Sight {
  readonly state: FileState;
  /** Null where nothing is, and where what is there is neither file nor link. */
  readonly stamp: Stamp | null;
  /** How many folders of the path exist; the rest must be made before a file can be. */
  readonly foldersThere: number;
  /** A link or a file where a folder should be: the path cannot be reached. */
  readonly blockedBy: 'link' | 'not_a_folder' | 'unreadable' | null;
  /** Device and inode of the folders on the way. */
  readonly identities: readonly string[];
}

/** `park`: a regular file's content is on disk there when this resolves. Fault `io`. */
export const lookAt = async (root: string, parts: Parts, park?: Park): Promise<Sight> => {
  const { folder, name } = splitLast(parts);
  const opened = openDir(root, folder);
  if (opened.kind !== 'open') return unreached(opened);
  try {
    const found = await (park === undefined
      ? readFound(opened.dir, name)
      : storeFound(park, opened.dir, name));
    return {
      state: stateOf(found),
      stamp: found.type === 'file' || found.type === 'link' ? found.stamp : null,
      foldersThere: folder.length,
      blockedBy: null,
      identities: opened.identities,
    };
  } finally {
    opened.dir.close();
  }
};

function unreached(outcome: Exclude<DirOutcome, { kind: 'open' }>): Sight {
  const blockedBy = outcome.kind === 'blocked' ? outcome.by : null;
  const identities = outcome.kind === 'missing' ? outcome.identities : [];
  return { state: { type: 'absent' }, stamp: null, foldersThere: outcome.depth, blockedBy, identities };
}

export const stateOf = (found: Found): FileState => {
  switch (found.type) {
    case 'absent':
      return { type: 'absent' };
    case 'file':
      return {
        type: 'file',
        sha256: found.sha256 as Sha256,
        bytes: found.sizeBytes,
        mode: found.mode,
      };
    case 'link': {
      const target = found.target.toString('utf8');
      if (Buffer.from(target, 'utf8').equals(found.target)) return { type: 'link', target };
      return { type: 'other', reason: 'it is a link whose target is not UTF-8' };
    }
    case 'dir':
      return { type: 'dir', mode: found.mode, empty: found.empty };
    case 'other':
      return { type: 'other', reason: found.reason };
  }
};

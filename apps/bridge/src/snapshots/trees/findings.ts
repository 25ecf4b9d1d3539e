/** What a look at a work tree found to be different from what is known of it. Nothing of it is in force yet. */
import { type BytePath, joinPath } from '../../platform/byte-path.ts';
import type { Sight } from '../../platform/sight.ts';
import type { Folder } from './folder.ts';
import type { LeftOutReason } from './types.ts';

/** All that is known of a work tree. */
export interface TreeState {
  /** Absolute real path, as bytes. */
  readonly root: BytePath;
  readonly folders: Map<BytePath, Folder>;
  readonly leftOut: Map<BytePath, LeftOutReason>;
  /** Files with a second name somewhere: a write through that one is told to nobody who watches this one. */
  readonly shared: Set<BytePath>;
}

/** A name in a folder that is captured. */
export interface Spot {
  readonly folder: BytePath;
  readonly name: BytePath;
}

export interface Read extends Spot {
  readonly sight: Sight;
}

export interface FoundCandidate extends Read {
  readonly path: BytePath;
  readonly isFolder: boolean;
}

/** A folder that was listed, with what it was before the list was read. */
export interface Listed {
  readonly sight: Sight;
  readonly rules: number;
}

export interface Findings {
  /** Files and links whose content may be new. */
  readonly reads: Read[];
  readonly gone: Spot[];
  /** Folders that are gone, with everything below. */
  readonly goneFolders: Spot[];
  /** Of another repository, or no longer wanted: let go without having been deleted. */
  readonly dropped: Spot[];
  readonly droppedFolders: Spot[];
  readonly newFolders: Spot[];
  readonly listed: Map<BytePath, Listed>;
  readonly leftOut: Map<BytePath, LeftOutReason>;
  /** Not left out any more. */
  readonly backIn: Set<BytePath>;
  /** Names that nobody knows yet: the rules decide. */
  readonly candidates: FoundCandidate[];
  /** A `.gitignore` is not what it was. */
  rulesChanged: boolean;
}

export const newFindings = (): Findings => ({
  reads: [],
  gone: [],
  goneFolders: [],
  dropped: [],
  droppedFolders: [],
  newFolders: [],
  listed: new Map(),
  leftOut: new Map(),
  backIn: new Set(),
  candidates: [],
  rulesChanged: false,
});

export const pathOf = ({ folder, name }: Spot): BytePath => joinPath(folder, name);

/** What a look at a work tree found to be different from what is known of it. Nothing of it is in force yet. */
import { type BytePath, joinPath, lastName, parentPath } from '../../platform/byte-path.ts';
import type { Sight } from '../../platform/sight.ts';
import type { Folder } from './folder.ts';
import type { LeftOutReason } from './types.ts';

/** All that is known of a work tree. */
export interface TreeState {
  /** Absolute real path, as bytes. */
  readonly root: BytePath;
  readonly folders: Map<BytePath, Folder>;
  readonly leftOut: Map<BytePath, LeftOutReason>;
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

/** What a folder was before its list was read. */
export type Listed = Pick<Folder, 'ino' | 'mtimeMs' | 'ctimeMs' | 'rules'>;

export interface Findings {
  /** Files and links whose content may be new. */
  readonly reads: Read[];
  readonly gone: Spot[];
  /** Folders that are gone, with everything below. */
  readonly goneFolders: Spot[];
  /** Of another repository, or no longer wanted: let go without having been deleted. */
  readonly dropped: Spot[];
  readonly droppedFolders: Spot[];
  /** Paths of both kinds of folders: nothing below them is looked at. */
  readonly left: Set<BytePath>;
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
  left: new Set(),
  newFolders: [],
  listed: new Map(),
  leftOut: new Map(),
  backIn: new Set(),
  candidates: [],
  rulesChanged: false,
});

export const pathOf = ({ folder, name }: Spot): BytePath => joinPath(folder, name);

/** The folder is no part of the capture any more: `gone`, or let go for a reason (null: the rules hide it). */
export const leaveFolder = (findings: Findings, path: BytePath, how: 'gone' | LeftOutReason | null): void => {
  const spot = { folder: parentPath(path), name: lastName(path) };
  findings.left.add(path);
  if (how === 'gone') findings.goneFolders.push(spot);
  else findings.droppedFolders.push(spot);
  if (how !== 'gone' && how !== null) findings.leftOut.set(path, how);
};

/** Whether the path is a folder that was left, or lies below one: what is found there may be another folder's. */
export const isLeft = ({ left }: Findings, path: BytePath): boolean => {
  if (left.size === 0) return false;
  for (let above = path; above !== ''; above = parentPath(above)) if (left.has(above)) return true;
  return false;
};

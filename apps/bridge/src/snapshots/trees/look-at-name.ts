/** One name in a folder that is known: what became of it. */
import { type BytePath, joinPath } from '../../platform/byte-path.ts';
import { lookAtPath, type Sight } from '../../platform/sight.ts';
import type { Findings, Spot, TreeState } from './findings.ts';
import { type Folder, indexOfName, isSeen } from './folder.ts';
import { GIT_NAME } from './rules.ts';

export interface Looker {
  readonly state: TreeState;
  readonly findings: Findings;
  /** Folders of ours that lie in the work tree. */
  readonly own: ReadonlySet<BytePath>;
}

export const lookAtName = ({ state, findings, own }: Looker, folder: Folder, name: BytePath): void => {
  const path = joinPath(folder.path, name);
  // A `.git` makes its folder another repository; whoever visits the folder sees to that.
  if (name === GIT_NAME || own.has(path)) return;
  const known: Known = {
    spot: { folder: folder.path, name },
    path,
    at: indexOfName(folder.names, name),
    isFolder: indexOfName(folder.folders, name) >= 0,
  };
  const sight = lookAtPath(state.root, path);
  if (sight === 'unreadable') {
    leaveOut(findings, known);
    return;
  }
  if (known.at >= 0 && !isFileOrLink(sight)) findings.gone.push(known.spot);
  if (known.isFolder) {
    if (isSameFolder(state.folders.get(path), sight)) return;
    findings.goneFolders.push(known.spot);
  }
  if (sight === null) findings.backIn.add(path);
  else if (sight.type === 'other') findings.leftOut.set(path, 'special');
  else if (known.at >= 0 && isFileOrLink(sight)) {
    if (!isSeen(folder, known.at, sight)) findings.reads.push({ ...known.spot, sight });
  } else findings.candidates.push({ ...known.spot, sight, path, isFolder: sight.type === 'dir' });
};

interface Known {
  readonly spot: Spot;
  readonly path: BytePath;
  /** Among the folder's files, or -1. */
  readonly at: number;
  readonly isFolder: boolean;
}

/** What cannot be looked at is not gone. */
const leaveOut = (findings: Findings, { spot, path, at, isFolder }: Known): void => {
  findings.leftOut.set(path, 'unreadable');
  if (at >= 0) findings.dropped.push(spot);
  if (isFolder) findings.droppedFolders.push(spot);
};

const isFileOrLink = (sight: Sight | null): boolean => sight?.type === 'file' || sight?.type === 'link';

/** One that was moved away and replaced has another inode, and nothing below it is known. */
const isSameFolder = (known: Folder | undefined, sight: Sight | null): boolean =>
  known !== undefined && sight?.type === 'dir' && (known.ino === 0 || known.ino === sight.ino);

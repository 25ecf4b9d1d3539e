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
  const spot: Spot = { folder: folder.path, name };
  const at = indexOfName(folder.names, name);
  const isFolder = indexOfName(folder.folders, name) >= 0;
  const sight = lookAtPath(state.root, path);
  if (sight === 'unreadable') {
    findings.leftOut.set(path, 'unreadable');
    if (at >= 0) findings.dropped.push(spot);
    if (isFolder) findings.droppedFolders.push(spot);
    return;
  }
  if (at >= 0 && !isFileOrLink(sight)) findings.gone.push(spot);
  if (isFolder && !isSameFolder(state.folders.get(path), sight)) findings.goneFolders.push(spot);
  else if (isFolder) return;
  if (sight === null) findings.backIn.add(path);
  else if (sight.type === 'other') findings.leftOut.set(path, 'special');
  else if (at >= 0 && isFileOrLink(sight)) {
    if (!isSeen(folder, at, sight)) findings.reads.push({ ...spot, sight });
  } else findings.candidates.push({ ...spot, sight, path, isFolder: sight.type === 'dir' });
};

const isFileOrLink = (sight: Sight | null): boolean => sight?.type === 'file' || sight?.type === 'link';

/** One that was moved away and replaced has another inode, and nothing below it is known. */
const isSameFolder = (known: Folder | undefined, sight: Sight | null): boolean =>
  known !== undefined && sight?.type === 'dir' && (known.ino === 0 || known.ino === sight.ino);

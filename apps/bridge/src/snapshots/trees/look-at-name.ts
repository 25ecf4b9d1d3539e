/** One name in a folder: what became of it. */
import { type BytePath, joinPath } from '../../platform/byte-path.ts';
import { lookAtPath, type Sight } from '../../platform/sight.ts';
import { type Findings, leaveFolder, type Spot, type TreeState } from './findings.ts';
import { type Folder, indexOfName, isSeen } from './folder.ts';
import { GIT_NAME } from './rules.ts';

export interface Looker {
  readonly state: TreeState;
  readonly findings: Findings;
  /** Folders of ours that lie in the work tree. */
  readonly own: ReadonlySet<BytePath>;
  readonly nowMs: () => number;
  /** Called before a folder is listed, so that nothing that happens in it later is missed. */
  readonly onFolder: (path: BytePath) => void;
}

/** Fault `io`. */
export const lookAtName = (looker: Looker, folder: Folder, name: BytePath): void => {
  const { state, findings, own } = looker;
  const path = joinPath(folder.path, name);
  // A `.git` makes its folder another repository; whoever visits the folder sees to that.
  if (name === GIT_NAME || own.has(path)) return;
  const spot: Spot = { folder: folder.path, name };
  const sight = lookAtPath(state.root, path);
  const at = indexOfName(folder.names, name);
  if (at >= 0) lookAtFile(findings, spot, { folder, at, sight });
  else if (indexOfName(folder.folders, name) >= 0) lookAtKnownFolder(looker, spot, sight);
  else lookAtNew(findings, spot, sight);
};

const lookAtFile = (
  findings: Findings,
  spot: Spot,
  known: { readonly folder: Folder; readonly at: number; readonly sight: Sight | null | 'unreadable' },
): void => {
  const { folder, at, sight } = known;
  if (sight === 'unreadable') {
    findings.dropped.push(spot);
    findings.leftOut.set(joinPath(spot.folder, spot.name), 'unreadable');
  } else if (sight?.type === 'file' || sight?.type === 'link') {
    if (!isSeen(folder, at, sight)) findings.reads.push({ ...spot, sight });
  } else {
    findings.gone.push(spot);
    lookAtNew(findings, spot, sight);
  }
};

/** What is inside is for those who visit it. One that was replaced has another inode, and nothing below it is known. */
const lookAtKnownFolder = (
  { state, findings }: Looker,
  spot: Spot,
  sight: Sight | null | 'unreadable',
): void => {
  const path = joinPath(spot.folder, spot.name);
  const known = state.folders.get(path);
  if (sight === 'unreadable') leaveFolder(findings, path, 'unreadable');
  else if (known === undefined || sight?.type !== 'dir' || sight.ino !== known.ino) {
    leaveFolder(findings, path, 'gone');
    lookAtNew(findings, spot, sight);
  }
};

const lookAtNew = (findings: Findings, spot: Spot, sight: Sight | null | 'unreadable'): void => {
  const path = joinPath(spot.folder, spot.name);
  if (sight === null) findings.backIn.add(path);
  else if (sight === 'unreadable') findings.leftOut.set(path, 'unreadable');
  else findings.candidates.push({ ...spot, sight, path, isFolder: sight.type === 'dir' });
};

/** One folder: its list compared with what is known of it. Follows no link, enters no other repository. */
import { BridgeError } from '@skein/core/protocol/errors';
import { type BytePath, joinPath, parentPath, ROOT_PATH, textOf } from '../../platform/byte-path.ts';
import { lookAtPath, namesInFolder, type Sight } from '../../platform/sight.ts';
import { isLeft, type Listed, leaveFolder, type Spot, type TreeState } from './findings.ts';
import { type Folder, newFolder, subtreeOf } from './folder.ts';
import { rulesIn } from './ignore-file.ts';
import { type Looker, lookAtName } from './look-at-name.ts';
import { isRacyAt } from './read-entry.ts';
import { GIT_NAME } from './rules.ts';

/**
 * `relist`: also when its own numbers say that its list is the same. Faults: `io`, `not_found` (the work tree itself is
 * gone).
 */
export const lookAtFolder = (looker: Looker, folder: Folder, relist: boolean): void => {
  const { path } = folder;
  const sight = lookAtPath(looker.state.root, path);
  if (sight === null || sight === 'unreadable' || sight.type !== 'dir') leave(looker, path, sight);
  else if (path !== '' && sight.ino !== folder.ino) replaced(looker, path);
  else lookInside(looker, folder, { sight, isSameList: !relist && isListed(folder, sight) });
};

const lookInside = (
  looker: Looker,
  folder: Folder,
  { sight, isSameList }: { readonly sight: Sight; readonly isSameList: boolean },
): void => {
  const { state, findings, onFolder, nowMs } = looker;
  const { path } = folder;
  onFolder(path);
  const rules = isSameList && folder.rules === 0 ? 0 : rulesIn(state, path, nowMs());
  if (rules === 'blocks') {
    leaveFolder(findings, path, 'special');
    return;
  }
  if (rules !== folder.rules) findings.rulesChanged = true;
  if (isSameList) for (const name of folder.names) lookAtName(looker, folder, name);
  else list(looker, folder, listedOf(sight, rules, nowMs()));
};

const list = (looker: Looker, folder: Folder, listed: Listed): void => {
  const { path } = folder;
  const names = namesInFolder(looker.state.root, path);
  if (names === null || names === 'unreadable') leave(looker, path, names);
  else if (path !== '' && names.includes(GIT_NAME)) leaveFolder(looker.findings, path, 'nested');
  else {
    looker.findings.listed.set(path, listed);
    lookAtNames(looker, folder, names);
  }
};

/** A folder that was told of by name may be another one in its place: everything known below it is looked at. */
export const lookAtTree = (looker: Looker, path: BytePath): void => {
  for (const folder of subtreeOf(looker.state.folders, path))
    if (!isLeft(looker.findings, folder.path)) lookAtFolder(looker, folder, true);
};

/** One that nobody knows yet: everything in it is. Fault `io`. */
export const enterFolder = (
  looker: Looker,
  { folder, name, sight }: Spot & { readonly sight: Sight },
): void => {
  const { state, findings, onFolder } = looker;
  const path = joinPath(folder, name);
  onFolder(path);
  const rules = rulesIn(state, path, looker.nowMs());
  const listed = listedOf(sight, rules === 'blocks' ? 0 : rules, looker.nowMs());
  const names = rules === 'blocks' ? [] : namesInFolder(state.root, path);
  if (names === null) return;
  if (names === 'unreadable') findings.leftOut.set(path, 'unreadable');
  else if (rules === 'blocks') findings.leftOut.set(path, 'special');
  else if (names.includes(GIT_NAME)) findings.leftOut.set(path, 'nested');
  else {
    findings.newFolders.push({ folder, name });
    findings.listed.set(path, listed);
    lookAtNames(looker, newFolder(path), names);
  }
};

/** The work tree itself, of which nothing is known. Faults: `io`, `not_found`. */
export const enterRoot = (looker: Looker): void => lookAtFolder(looker, newFolder(ROOT_PATH), true);

/** Whether the folder at the root is the one that is known. Faults: `io`, `not_found`. */
export const isSameRoot = (state: TreeState): boolean => {
  const sight = lookAtPath(state.root, ROOT_PATH);
  if (sight === null || sight === 'unreadable' || sight.type !== 'dir') throw noRoot(state);
  return sight.ino === state.folders.get(ROOT_PATH)?.ino;
};

const noRoot = (state: TreeState): BridgeError => {
  const root = textOf(state.root) ?? state.root;
  return new BridgeError('not_found', `The folder ${root} cannot be read.`, { data: { path: root } });
};

const lookAtNames = (looker: Looker, folder: Folder, names: readonly BytePath[]): void => {
  const there = new Set(names);
  for (const name of folder.names) if (!there.has(name)) lookAtName(looker, folder, name);
  for (const name of folder.folders) if (!there.has(name)) lookAtName(looker, folder, name);
  for (const name of names) lookAtName(looker, folder, name);
};

const leave = (looker: Looker, path: BytePath, how: Sight | null | 'unreadable'): void => {
  if (path === '') throw noRoot(looker.state);
  leaveFolder(looker.findings, path, how === 'unreadable' ? 'unreadable' : 'gone');
};

/** Its parent's list says so too, unless another file system was put over it. */
const replaced = (looker: Looker, path: BytePath): void => {
  const { state, findings } = looker;
  const parent = state.folders.get(parentPath(path));
  if (parent !== undefined) lookAtName(looker, parent, path.slice(path.lastIndexOf('/') + 1) as BytePath);
  else leaveFolder(findings, path, 'gone');
};

/** A folder that changed in the tick in which it is listed is listed again next time. */
const listedOf = ({ ino, mtimeMs, ctimeMs }: Sight, rules: number, nowMs: number): Listed => ({
  ino,
  mtimeMs: isRacyAt(mtimeMs, nowMs) ? 0 : mtimeMs,
  ctimeMs,
  rules,
});

const isListed = (folder: Folder, sight: Sight): boolean =>
  folder.ino === sight.ino && folder.mtimeMs === sight.mtimeMs && folder.ctimeMs === sight.ctimeMs;

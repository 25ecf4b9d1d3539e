/**
 * Looks at a work tree and tells what is different from what is known: every folder, or only the names that the
 * watcher told of.
 */
import { type BytePath, joinPath, lastName, parentPath } from '../../platform/byte-path.ts';
import { createPace } from '../../platform/pace.ts';
import { lookAtPath } from '../../platform/sight.ts';
import { type Findings, isLeft, leaveFolder, newFindings, type TreeState } from './findings.ts';
import { type Folder, indexOfName, suspectsIn } from './folder.ts';
import { rulesIn } from './ignore-file.ts';
import { enterRoot, lookAtFolder, lookAtTree } from './look-at-folder.ts';
import { type Looker, lookAtName } from './look-at-name.ts';
import { GIT_NAME, IGNORE_NAME } from './rules.ts';

export type ScanContext = Omit<Looker, 'findings'>;

/** Names that something happened to, by folder. */
export type Dirty = ReadonlyMap<BytePath, ReadonlySet<BytePath>>;

/** `relist`: list every folder again, because the rules changed. Faults: `io`, `not_found`. */
export const scanAll = async (context: ScanContext, relist: boolean): Promise<Findings> => {
  const looker: Looker = { ...context, findings: newFindings() };
  const pace = createPace();
  if (context.state.folders.size === 0) enterRoot(looker);
  // Parents come before what is below them.
  for (const folder of context.state.folders.values()) {
    if (!isLeft(looker.findings, folder.path)) lookAtFolder(looker, folder, relist);
    await pace();
  }
  lookAtLeftOut(looker);
  return looker.findings;
};

/** Only what the watcher told of, and what it cannot tell of. Fault `io`. */
export const scanDirty = async (context: ScanContext, dirty: Dirty): Promise<Findings> => {
  const looker: Looker = { ...context, findings: newFindings() };
  const pace = createPace();
  // Parents first: below one that is gone, or a link by now, there is nothing of ours to look at.
  for (const path of [...dirty.keys()].sort()) {
    const folder = context.state.folders.get(path);
    if (folder === undefined || isLeft(looker.findings, path)) continue;
    lookAtSigns(looker, folder, dirty.get(path) ?? new Set());
    for (const name of dirty.get(path) ?? []) {
      if (!isLeft(looker.findings, path)) lookAtTold(looker, folder, name);
      await pace();
    }
  }
  for (const folder of context.state.folders.values()) {
    lookAtSuspects(looker, folder, dirty.get(folder.path));
    await pace();
  }
  lookAtLeftOut(looker);
  return looker.findings;
};

const lookAtSuspects = (looker: Looker, folder: Folder, told: ReadonlySet<BytePath> | undefined): void => {
  for (const name of suspectsIn(folder)) {
    if (told?.has(name) !== true && !isLeft(looker.findings, folder.path)) lookAtName(looker, folder, name);
  }
};

/** Names that say something about the whole folder. */
const lookAtSigns = (
  { state, findings, nowMs }: Looker,
  { path, rules }: Folder,
  names: ReadonlySet<BytePath>,
) => {
  if (names.has(GIT_NAME) && path !== '' && isRepository(state, path)) leaveFolder(findings, path, 'nested');
  else if (names.has(IGNORE_NAME)) {
    const now = rulesIn(state, path, nowMs());
    if (now === 'blocks') leaveFolder(findings, path, 'special');
    else if (now !== rules) findings.rulesChanged = true;
  }
};

/** A folder that was removed and made again may have the same inode, and nobody watched what came into it. */
const lookAtTold = (looker: Looker, folder: Folder, name: BytePath): void => {
  const path = joinPath(folder.path, name);
  lookAtName(looker, folder, name);
  if (indexOfName(folder.folders, name) >= 0 && !isLeft(looker.findings, path)) lookAtTree(looker, path);
};

/** What was left out may be readable now, no repository any more, or gone. */
const lookAtLeftOut = (looker: Looker): void => {
  const { state, findings } = looker;
  for (const [path, reason] of state.leftOut) {
    const folder = state.folders.get(parentPath(path));
    if (folder === undefined || isLeft(findings, folder.path)) findings.backIn.add(path);
    else if (reason !== 'nested' || !isRepository(state, path)) lookAtName(looker, folder, lastName(path));
  }
};

const isRepository = (state: TreeState, path: BytePath): boolean =>
  lookAtPath(state.root, joinPath(path, GIT_NAME)) !== null;

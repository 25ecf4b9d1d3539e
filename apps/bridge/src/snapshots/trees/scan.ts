/**
 * Looks at a work tree and tells what is different from what is known: every folder, or only the names that the
 * watcher told of. Follows no link, enters no other repository.
 */
import { type BytePath, joinPath, lastName, parentPath, ROOT_PATH } from '../../platform/byte-path.ts';
import { createPace } from '../../platform/pace.ts';
import { lookAtPath, namesInFolder, type Sight } from '../../platform/sight.ts';
import { type Findings, type FoundCandidate, newFindings, type TreeState } from './findings.ts';
import { type Folder, newFolder } from './folder.ts';
import { type Looker, lookAtName } from './look-at-name.ts';
import { GIT_NAME, IGNORE_NAME } from './rules.ts';

export interface ScanContext {
  readonly state: TreeState;
  readonly own: ReadonlySet<BytePath>;
  /** Called before a folder is listed, so that nothing that happens in it later is missed. */
  readonly onFolder: (path: BytePath, isNew: boolean) => void;
  /** Those of the candidates that belong to the capture. */
  readonly wanted: <T extends { readonly path: BytePath; readonly isFolder: boolean }>(
    candidates: readonly T[],
  ) => Promise<readonly T[]>;
}

export type Dirty = ReadonlyMap<BytePath, ReadonlySet<BytePath>>;

/** `relist`: list every folder again, because the rules changed. Fault `io`. */
export const scanAll = async (context: ScanContext, relist: boolean): Promise<Findings> => {
  const { state } = context;
  const looker = { ...context, findings: newFindings() };
  const pace = createPace();
  if (state.folders.size === 0) {
    const sight = lookAtPath(state.root, ROOT_PATH);
    if (sight !== null && sight !== 'unreadable')
      enterFolder(context, looker.findings, { folder: ROOT_PATH, name: ROOT_PATH, sight });
  }
  for (const folder of state.folders.values()) {
    lookAtFolder(context, looker, { folder, relist });
    await pace();
  }
  lookAtLeftOut(context, looker);
  return looker.findings;
};

/** Only what the watcher told of. */
export const scanDirty = async (context: ScanContext, dirty: Dirty): Promise<Findings> => {
  const looker = { ...context, findings: newFindings() };
  const pace = createPace();
  for (const [path, names] of dirty) {
    const folder = context.state.folders.get(path);
    if (folder === undefined) continue;
    if (names.has(IGNORE_NAME) && rulesNow(context.state, path) !== folder.rules)
      looker.findings.rulesChanged = true;
    if (names.has(GIT_NAME) && path !== '' && isRepository(context.state, path))
      letGoOf(looker.findings, path);
    for (const name of names) {
      lookAtName(looker, folder, name);
      await pace();
    }
  }
  lookAtShared(context, looker);
  lookAtLeftOut(context, looker);
  return looker.findings;
};

/** So many new names are asked about and read at a time. */
const BATCH = 4000;

/**
 * From a first list of names that nobody knows: sorts them by the rules, tells of the wanted files and goes into the
 * wanted folders, a batch at a time. `context` is asked anew for each, since the one before is in force by then.
 * Fault `io`.
 */
export const enterWanted = async function* (
  contextNow: () => ScanContext,
  first: readonly FoundCandidate[],
): AsyncGenerator<Findings> {
  const names = [...first];
  const folders: FoundCandidate[] = [];
  while (names.length + folders.length > 0) {
    const found = newFindings();
    for (const candidate of await contextNow().wanted(names.splice(-BATCH))) {
      found.backIn.add(candidate.path);
      if (candidate.isFolder) folders.push(candidate);
      else found.reads.push(candidate);
    }
    yield found;
    const inside = newFindings();
    while (folders.length > 0 && names.length + inside.candidates.length < BATCH) {
      const folder = folders.pop();
      if (folder !== undefined) enterFolder(contextNow(), inside, folder);
    }
    for (const candidate of inside.candidates) names.push(candidate);
    yield inside;
  }
};

function lookAtFolder(
  { state, onFolder }: ScanContext,
  looker: Looker,
  { folder, relist }: { readonly folder: Folder; readonly relist: boolean },
): void {
  const { findings } = looker;
  const { path } = folder;
  const sight = lookAtPath(state.root, path);
  if (sight === null || sight === 'unreadable' || sight.type !== 'dir') {
    goneFolder(findings, path, sight);
    return;
  }
  onFolder(path, false);
  if (relist || !isListed(folder, sight)) {
    listAgain(looker, folder, sight);
    return;
  }
  if (folder.rules !== 0 && rulesNow(state, path) !== folder.rules) findings.rulesChanged = true;
  for (const name of folder.names) lookAtName(looker, folder, name);
}

/** Names came or went: every one of them is looked at, and those that are not there any more. */
function listAgain(looker: Looker, folder: Folder, sight: Sight): void {
  const { state, findings } = looker;
  const { path } = folder;
  const found = namesInFolder(state.root, path);
  if (found === null || found === 'unreadable') {
    goneFolder(findings, path, found);
    return;
  }
  if (path !== '' && found.names.includes(GIT_NAME)) {
    letGoOf(findings, path);
    return;
  }
  const rules = rulesNow(state, path);
  if (rules !== folder.rules) findings.rulesChanged = true;
  findings.listed.set(path, { sight, rules });
  const there = new Set(found.names);
  for (const name of [...folder.names, ...folder.folders]) {
    if (!there.has(name)) lookAtName(looker, folder, name);
  }
  for (const name of found.names) lookAtName(looker, folder, name);
}

function enterFolder(
  { state, onFolder, own }: ScanContext,
  findings: Findings,
  { folder, name, sight }: { readonly folder: BytePath; readonly name: BytePath; readonly sight: Sight },
): void {
  const path = name === '' ? ROOT_PATH : joinPath(folder, name);
  onFolder(path, true);
  const found = namesInFolder(state.root, path);
  if (found === null) return;
  if (found === 'unreadable') {
    findings.leftOut.set(path, 'unreadable');
    return;
  }
  if (path !== '' && found.names.includes(GIT_NAME)) {
    findings.leftOut.set(path, 'nested');
    return;
  }
  if (path !== '') findings.newFolders.push({ folder, name });
  findings.listed.set(path, { sight, rules: rulesNow(state, path) });
  const looker = { state, findings, own };
  const empty = newFolder(path);
  for (const inside of found.names) lookAtName(looker, empty, inside);
}

/** A write through another name of a file is told to nobody. */
function lookAtShared({ state }: ScanContext, looker: Looker): void {
  for (const path of state.shared) {
    const folder = state.folders.get(parentPath(path));
    if (folder !== undefined) lookAtName(looker, folder, lastName(path));
  }
}

/** What was left out may be readable now, no repository any more, or gone. */
function lookAtLeftOut({ state }: ScanContext, looker: Looker): void {
  for (const [path, reason] of state.leftOut) {
    const folder = state.folders.get(parentPath(path));
    if (folder === undefined) looker.findings.backIn.add(path);
    else if (reason !== 'nested' || !isRepository(state, path)) lookAtName(looker, folder, lastName(path));
  }
}

function goneFolder(findings: Findings, path: BytePath, how: Sight | null | 'unreadable'): void {
  if (path === '') return;
  const spot = { folder: parentPath(path), name: lastName(path) };
  if (how === 'unreadable') {
    findings.leftOut.set(path, 'unreadable');
    findings.droppedFolders.push(spot);
  } else findings.goneFolders.push(spot);
}

function letGoOf(findings: Findings, path: BytePath): void {
  findings.leftOut.set(path, 'nested');
  findings.droppedFolders.push({ folder: parentPath(path), name: lastName(path) });
}

function isRepository(state: TreeState, path: BytePath): boolean {
  return lookAtPath(state.root, joinPath(path, GIT_NAME)) !== null;
}

/** A number that changes when the folder's `.gitignore` does; 0 without one. */
function rulesNow(state: TreeState, path: BytePath): number {
  const sight = lookAtPath(state.root, joinPath(path, IGNORE_NAME));
  if (sight === null || sight === 'unreadable' || sight.type !== 'file') return 0;
  return sight.mtimeMs + sight.ctimeMs / 3 + sight.ino * 7 + sight.size * 13;
}

function isListed(folder: Folder, sight: Sight): boolean {
  return folder.ino === sight.ino && folder.mtimeMs === sight.mtimeMs && folder.ctimeMs === sight.ctimeMs;
}

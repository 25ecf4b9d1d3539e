/** Git trees of the folders that changed, and of those above them; the others are in the store already. */
import { type BytePath, joinPath, parentPath } from '../../platform/byte-path.ts';
import { type ObjectId, objectId, type PackWriter } from '../../platform/pack-file.ts';
import type { TreeState } from './findings.ts';
import { entryAt, type Folder } from './folder.ts';

const EMPTY = Buffer.alloc(0);

/** Fills in `tree` of every folder and returns the root's. */
export const buildTrees = (state: TreeState, pack: PackWriter): ObjectId => {
  for (const path of pathsToBuild(state)) {
    const folder = state.folders.get(path);
    if (folder === undefined) continue;
    const content = treeContent(state, folder);
    const tree = content.length === 0 && path !== '' ? EMPTY : pack.add('tree', content);
    state.folders.set(path, { ...folder, tree });
  }
  return state.folders.get('' as BytePath)?.tree ?? pack.add('tree', EMPTY);
};

/** Deepest first. */
const pathsToBuild = (state: TreeState): readonly BytePath[] => {
  const paths = new Set<BytePath>();
  for (const folder of state.folders.values()) {
    if (folder.tree !== null) continue;
    for (let path = folder.path; !paths.has(path); path = parentPath(path)) paths.add(path);
  }
  return [...paths].sort((a, b) => depthOf(b) - depthOf(a));
};

const depthOf = (path: BytePath): number => (path === '' ? 0 : path.split('/').length);

/** Git sorts a folder as if its name ended in a slash. */
const treeContent = (state: TreeState, folder: Folder): Buffer => {
  const lines: { readonly key: string; readonly head: string; readonly id: Buffer }[] = [];
  for (const [at, name] of folder.names.entries()) {
    const { oid, isLink, sight } = entryAt(folder, at);
    const mode = isLink ? '120000' : (sight.mode & 0o100) !== 0 ? '100755' : '100644';
    lines.push({ key: name, head: `${mode} ${name}\0`, id: oid });
  }
  for (const name of folder.folders) {
    const tree = state.folders.get(joinPath(folder.path, name))?.tree;
    if (tree === undefined || tree === null || tree.length === 0) continue;
    lines.push({ key: `${name}/`, head: `40000 ${name}\0`, id: tree });
  }
  lines.sort((a, b) => (a.key < b.key ? -1 : 1));
  return Buffer.concat(lines.flatMap(({ head, id }) => [Buffer.from(head, 'latin1'), id]));
};

/** A commit without parents: nothing of one capture keeps another one alive. */
export const commitOf = (
  tree: ObjectId,
  seconds: number,
): { readonly id: ObjectId; readonly content: Buffer } => {
  const who = `Skein <skein@localhost> ${seconds} +0000`;
  const content = Buffer.from(`tree ${tree.toString('hex')}\nauthor ${who}\ncommitter ${who}\n\ncapture\n`);
  return { id: objectId('commit', content), content };
};

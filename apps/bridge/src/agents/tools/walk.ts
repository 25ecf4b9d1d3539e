/**
 * The files below a folder as a developer means them: no `.git`, nothing that a `.gitignore` between the
 * workspace root and the file names, links not followed, in the order of names. Names that are not UTF-8 are
 * left out.
 */
import { join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { listDir, statIfThere } from '../../platform/files.ts';
import { isInside, realPathIfThere } from '../../platform/paths.ts';
import type { ToolContext } from './tool.ts';

interface IgnoreRules {
  readonly folder: string;
  readonly rules: Ignore;
  /** What its `!` lines name: `ignore` itself only says so where the same file ignored it before. */
  readonly kept: Ignore;
}

export type SearchPlace =
  | { readonly kind: 'folder' | 'file'; readonly path: string }
  | { readonly kind: 'refused'; readonly message: string };

/** Real path of a file or folder inside the workspace, or a sentence why not. Default: the working directory. */
export const resolvePlace = async (context: ToolContext, path: string | undefined): Promise<SearchPlace> => {
  const real = await realPathIfThere(resolve(context.cwd, path ?? ''));
  if (real === null) return { kind: 'refused', message: `There is no ${path}.` };
  if (!isInside(real, context.root)) {
    return { kind: 'refused', message: `${path} is outside the workspace ${context.root}.` };
  }
  const stat = await statIfThere(real);
  return { kind: stat?.isDirectory() === true ? 'folder' : 'file', path: real };
};

/** Absolute paths. Ends early when the turn is interrupted. */
export async function* walkFiles(context: ToolContext, folder: string): AsyncGenerator<string> {
  const above: IgnoreRules[] = [];
  for (const step of chain(context.root, folder)) {
    if (step !== folder) above.push(...(await rulesOf(context, step)));
  }
  yield* walk(context, folder, above);
}

async function* walk(
  context: ToolContext,
  folder: string,
  above: readonly IgnoreRules[],
): AsyncGenerator<string> {
  if (context.signal.aborted) return;
  const entries = (await listDir(folder)).flatMap(({ name, kind }) =>
    name === null ? [] : [{ name, kind }],
  );
  const hasRules = entries.some(({ name, kind }) => name === '.gitignore' && kind === 'file');
  const rules = hasRules ? [...above, ...(await rulesOf(context, folder))] : above;
  for (const { name, kind } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, name);
    if (name === '.git' || isIgnored(rules, path, kind === 'dir')) continue;
    if (kind === 'file') yield path;
    else if (kind === 'dir') yield* walk(context, path, rules);
  }
}

const rulesOf = async (context: ToolContext, folder: string): Promise<readonly IgnoreRules[]> => {
  const file = await context.gate.read(join(folder, '.gitignore'));
  if (file.kind !== 'file') return [];
  const lines = Buffer.from(file.bytes).toString('utf8').split(/\r?\n/);
  const kept = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  return [{ folder, rules: ignore().add(lines), kept: ignore().add(kept) }];
};

/** The nearest file that has an opinion decides, as in git. */
const isIgnored = (files: readonly IgnoreRules[], path: string, isDir: boolean): boolean => {
  for (const { folder, rules, kept } of files.toReversed()) {
    const inside = slashed(relative(folder, path)) + (isDir ? '/' : '');
    if (names(rules, inside)) return true;
    if (names(kept, inside)) return false;
  }
  return false;
};

/** Whether a line names the path itself. A folder above it that is named was kept, or we would not be here. */
const names = (list: Ignore, path: string): boolean => {
  const above = path.slice(0, path.replace(/\/$/, '').lastIndexOf('/') + 1);
  return list.ignores(path) && (above === '' || !list.ignores(above));
};

/** The folders from `root` down to `folder`, both included. */
const chain = (root: string, folder: string): readonly string[] => {
  const names = relative(root, folder)
    .split(sep)
    .filter((name) => name !== '');
  return [root, ...names.map((_, index) => join(root, ...names.slice(0, index + 1)))];
};

export const slashed = (path: string): string => (sep === '/' ? path : path.replaceAll(sep, '/'));

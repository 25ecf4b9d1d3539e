/** Lists what lies below a folder of a workspace, without following links, up to a limit. */
import { readdirSync } from 'node:fs';
import { ioFault } from './io-fault.ts';
import { type HeldDir, type Name, openDir, show } from './tree-files.ts';

/** Every file, link and other entry below `parts`, as parts from the root; folders themselves are not listed. */
export const walkBelow = (
  root: string,
  parts: readonly Name[],
  options: { readonly skip: (name: Name) => boolean; readonly max: number },
):
  | { readonly kind: 'listed'; readonly paths: readonly (readonly Name[])[] }
  | { readonly kind: 'too_many' } => {
  const paths: (readonly Name[])[] = [];
  const waiting: (readonly Name[])[] = [parts];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const opened = openDir(root, folder);
    if (opened.kind !== 'open') continue;
    try {
      for (const entry of entriesOf(opened.dir, folder)) {
        if (options.skip(entry.name)) continue;
        const path = [...folder, entry.name];
        if (entry.isDir) waiting.push(path);
        else paths.push(path);
        if (paths.length + waiting.length > options.max) return { kind: 'too_many' };
      }
    } finally {
      opened.dir.close();
    }
  }
  return { kind: 'listed', paths };
};

function entriesOf(
  dir: HeldDir,
  folder: readonly Name[],
): { readonly name: Buffer; readonly isDir: boolean }[] {
  try {
    const entries = readdirSync(dir.at(Buffer.from('.')), { withFileTypes: true, encoding: 'buffer' });
    return entries.map((entry) => ({ name: entry.name, isDir: entry.isDirectory() }));
  } catch (error) {
    throw ioFault(error, 'Reading a folder', folder.map(show).join('/'));
  }
}

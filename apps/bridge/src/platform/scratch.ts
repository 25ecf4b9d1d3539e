/** A folder of ours with a few files, for a moment. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BytePath, bytePathOf, fsPathOf, parentPath } from './byte-path.ts';
import { makePrivateDir } from './files.ts';
import { newName } from './ids.ts';
import { ioFault } from './io-fault.ts';

export interface Scratch extends AsyncDisposable {
  readonly path: string;
}

/** `under` is made where it is missing. Gone with everything in it when it is disposed of. Fault `io`. */
export const makeFiles = async (
  under: string,
  files: readonly { readonly path: BytePath; readonly bytes: Uint8Array }[],
): Promise<Scratch> => {
  const path = join(under, newName());
  await makePrivateDir(path);
  const root = bytePathOf(path);
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  try {
    for (const file of files) {
      mkdirSync(fsPathOf(root, parentPath(file.path)), { recursive: true });
      writeFileSync(fsPathOf(root, file.path), file.bytes);
    }
  } catch (error) {
    remove();
    throw ioFault(error, 'Writing a file', path);
  }
  return { path, [Symbol.asyncDispose]: async () => remove() };
};

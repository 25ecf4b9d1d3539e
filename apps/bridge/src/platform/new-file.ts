/** A file that must not be there yet: whole and on disk, or not at all. */
import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { makePrivateDir, syncDir } from './files.ts';
import { newName } from './ids.ts';
import { errnoOf, ioFault } from './io-fault.ts';

/** 0600. Resolves with its length when it is on disk. Faults: `conflict` (something is there), `io`; a fault of `chunks` passes. */
export const writeNewFile = async (path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> => {
  await makePrivateDir(dirname(path));
  const temp = join(dirname(path), `.${basename(path).slice(0, 60)}.${newName()}.skein-tmp`);
  try {
    const bytes = await fill(temp, chunks);
    // A link is refused where a name is taken; a rename would replace it.
    await fs.link(temp, path);
    return bytes;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST')
      throw new BridgeError('conflict', `There is something already: ${path}`, {
        data: { path },
        cause: error,
      });
    throw errnoOf(error) === null ? error : ioFault(error, 'Saving a file', path);
  } finally {
    await fs.rm(temp, { force: true });
    await syncDir(dirname(path));
  }
};

const fill = async (temp: string, chunks: AsyncIterable<Uint8Array>): Promise<number> => {
  const handle = await fs.open(temp, 'wx', 0o600);
  let bytes = 0;
  try {
    await handle.chmod(0o600);
    for await (const chunk of chunks) {
      await handle.writeFile(chunk);
      bytes += chunk.length;
    }
    await handle.datasync();
  } finally {
    await handle.close();
  }
  return bytes;
};

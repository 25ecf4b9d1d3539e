/** Databases of sessions unfolded into one private file a session, which are then read like any other; disposable. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isBridgeError } from '@skein/core/protocol/errors';
import { listDir, makePrivateDir, readFileIfThere, removeFile, writeFileAtomic } from '../platform/files.ts';
import { databaseStamp, readDatabase } from './opencode-database.ts';

const DATABASE = /^opencode.*\.db$/;
/** Raise it when a document is written another way. */
const UNFOLD_VERSION = 1;

export interface Unfolded {
  /** Folders of documents, to be looked at like places. */
  readonly dirs: readonly string[];
  readonly notices: readonly string[];
}

/** Databases that lie right in these folders. A database that cannot be read now keeps what was unfolded before. */
export const unfoldDatabases = async (folders: readonly string[], cache: string): Promise<Unfolded> => {
  const dirs: string[] = [];
  const notices: string[] = [];
  for (const path of await databasesIn(folders, notices)) {
    const dir = join(cache, createHash('sha256').update(path).digest('hex').slice(0, 24));
    dirs.push(dir);
    const notice = await unfold(path, dir);
    if (notice !== null) notices.push(notice);
  }
  return { dirs, notices };
};

const databasesIn = async (folders: readonly string[], notices: string[]): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const folder of folders) {
    try {
      for (const { kind, name } of await listDir(folder))
        if (kind === 'file' && name !== null && DATABASE.test(name)) found.push(join(folder, name));
    } catch (error) {
      if (!isBridgeError(error)) throw error;
      notices.push(error.message);
    }
  }
  return found;
};

const unfold = async (path: string, dir: string): Promise<string | null> => {
  const stamp = `${UNFOLD_VERSION} ${path} ${await databaseStamp(path)}`;
  const known = await readFileIfThere(join(dir, 'stamp'));
  if (known !== null && Buffer.from(known).toString('utf8') === stamp) return null;
  try {
    await makePrivateDir(dir);
    const names = new Set<string>(['stamp']);
    for await (const { id, text } of readDatabase(path, join(dir, 'copy'))) {
      const name = `${createHash('sha256').update(id).digest('hex').slice(0, 24)}.json`;
      names.add(name);
      const before = await readFileIfThere(join(dir, name));
      if (before === null || Buffer.from(before).toString('utf8') !== text)
        await writeFileAtomic(join(dir, name), text);
    }
    for (const { kind, name } of await listDir(dir))
      if (kind === 'file' && name !== null && !names.has(name)) await removeFile(join(dir, name));
    await writeFileAtomic(join(dir, 'stamp'), stamp);
    return null;
  } catch (error) {
    if (!isBridgeError(error)) throw error;
    return error.message;
  }
};

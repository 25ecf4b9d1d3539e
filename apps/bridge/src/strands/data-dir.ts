/**
 * The data directory: its version, its folders, where each thing lies (DESIGN section 3). Refuses what it
 * cannot keep safe: a network file system, data of a newer Skein.
 */
import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { makePrivateDir, writeFileAtomic } from '../platform/files.ts';
import { readJsonIfThere } from '../platform/json-files.ts';
import { networkFileSystem } from '../platform/paths.ts';

export const DATA_VERSION = 1;

export interface DataDir {
  readonly root: string;
  readonly strands: string;
  readonly spills: string;
  readonly snapshots: string;
  readonly state: string;
  readonly leases: string;
  readonly trash: string;
  readonly logs: string;
  /** Derived, may be deleted at any time. */
  readonly catalog: string;
}

export const dataDirAt = (root: string): DataDir => ({
  root,
  strands: join(root, 'strands'),
  spills: join(root, 'spills'),
  snapshots: join(root, 'snapshots'),
  state: join(root, 'state'),
  leases: join(root, 'state', 'leases'),
  trash: join(root, 'trash'),
  logs: join(root, 'logs'),
  catalog: join(root, 'catalog.sqlite'),
});

/** The lock of one strand's writer. */
export const leasePath = (dirs: Pick<DataDir, 'leases'>, id: string): string =>
  join(dirs.leases, `${id}.lease`);

/**
 * Makes the data directory or what is missing of it: a half-made one is finished. Everything is on disk when it
 * resolves. Faults: `read_only` (network file system), `incompatible` (newer data), `unreadable` (data.json), `io`.
 */
export const openDataDir = async (root: string): Promise<DataDir> => {
  const network = await networkFileSystem(root);
  if (network !== null) {
    const why = 'appends are not atomic and locks are not reliable there';
    throw new BridgeError(
      'read_only',
      `The data directory lies on a network file system (${network}); ${why}: ${root}`,
      {
        data: { reason: 'network_file_system', type: network, path: root },
      },
    );
  }
  const dirs = dataDirAt(root);
  await makePrivateDir(root);
  const known = await readVersion(root);
  if (known !== null && known > DATA_VERSION) {
    throw new BridgeError(
      'incompatible',
      `This data was written by a newer Skein (version ${known}); update Skein: ${root}`,
      {
        data: { found: known, known: DATA_VERSION, path: root },
      },
    );
  }
  for (const path of [dirs.strands, dirs.spills, dirs.snapshots, dirs.leases, dirs.trash, dirs.logs]) {
    await makePrivateDir(path);
  }
  // Last, so that a directory with a version is complete.
  if (known === null)
    await writeFileAtomic(join(root, 'data.json'), `${JSON.stringify({ v: DATA_VERSION })}\n`);
  return dirs;
};

/** Null when there is no data.json yet. */
const readVersion = async (root: string): Promise<number | null> => {
  const path = join(root, 'data.json');
  const found = await readJsonIfThere(path);
  if (found === null) return null;
  const v = typeof found === 'object' && 'v' in found ? found.v : undefined;
  if (typeof v === 'number' && Number.isInteger(v) && v >= 1) return v;
  throw new BridgeError('unreadable', `This file does not say which version the data has: ${path}`, {
    data: { path },
  });
};

/** Reads one file for an agent. Links of folders are followed here as long as they stay inside the workspace. */
import { relative, resolve, sep } from 'node:path';
import { showPath } from '@skein/core/record/path-ref';
import { isInside, realPathIfThere } from '../platform/paths.ts';
import { openDir } from '../platform/tree-files.ts';
import { readFound } from '../platform/tree-files-read.ts';
import type { Grounds, Place } from './below-root.ts';
import { stateOf } from './file-states.ts';
import { findPlace } from './gate-place.ts';
import { checkState } from './gate-write.ts';
import { refuse } from './refusal.ts';
import { type Parts, refOf, splitLast } from './tree-path.ts';
import type { TurnGate } from './types.ts';

type Read = Awaited<ReturnType<TurnGate['read']>>;

/** What an agent may hold in memory; a larger file is read in parts by a command. */
const MAX_READ_BYTES = 256 * 1024 * 1024;

/** Fault `io`. `path` of the result is relative to the root. */
export const readPlace = async (grounds: Grounds, path: string): Promise<Read> => {
  const place = await findReadable(grounds, path);
  if (place.kind === 'refused') return place;
  return readParts(grounds.root, place.parts, path);
};

async function findReadable(grounds: Grounds, path: string): Promise<Place> {
  const place = await findPlace(grounds, path, { access: 'read', followLast: true });
  if (place.kind === 'place' || place.reason !== 'link') return place;
  const real = await realPathIfThere(resolve(grounds.cwd, path));
  if (real === null || !isInside(real, grounds.root)) return place;
  const inside = relative(grounds.root, real).split(sep).join('/');
  return inside === ''
    ? place
    : findPlace(grounds, resolve(grounds.root, inside), { access: 'read', followLast: true });
}

async function readParts(root: string, parts: Parts, path: string): Promise<Read> {
  const { folder, name } = splitLast(parts);
  const opened = openDir(root, folder);
  if (opened.kind !== 'open') return refuse('not_found', `${path} does not exist.`);
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    const found = await readFound(opened.dir, name, async (chunk) => {
      if (chunk === null) chunks.length = 0;
      size = chunk === null ? 0 : size + chunk.length;
      if (chunk !== null && size <= MAX_READ_BYTES) chunks.push(Buffer.from(chunk));
    });
    if (found.type === 'absent') return refuse('not_found', `${path} does not exist.`);
    const refused = checkState(path, stateOf(found));
    if (refused !== null) return refused;
    if (found.type !== 'file') return refuse('link', `${path} is a link without an end.`);
    if (size > MAX_READ_BYTES) return refuse('not_regular', `${path} is too large to be read as a whole.`);
    return { kind: 'file', path: showPath(refOf(parts)), bytes: Buffer.concat(chunks), sha256: found.sha256 };
  } finally {
    opened.dir.close();
  }
}

/** Files as they were and who wrote them, wired. */
import { readlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import type { Flows } from '../api/flows.ts';
import { createBlameFile } from '../flows/blame-file.ts';
import { createFilesAt, type FileNow } from '../flows/files-at.ts';
import { readFileIfThere, statIfThere } from '../platform/files.ts';
import { repoSnapshot } from '../platform/git-repo.ts';
import { isInside, realPathIfThere } from '../platform/paths.ts';
import type { Parts } from './parts.ts';
import { isForeign } from './wire-history.ts';
import { stateReader } from './wire-strands.ts';

/** Longer files have no lines worth naming. */
const MAX_BLAME_BYTES = 4 * 1024 * 1024;

export const wirePast = (parts: Parts): Pick<Flows['files'], 'at' | 'versionAt' | 'blame'> => {
  const state = stateReader(parts);
  const { snapshots } = parts;
  const past = createFilesAt({ state, snapshots, isForeign: isForeign(parts), fileNow });
  return {
    at: past.files,
    versionAt: past.version,
    blame: createBlameFile({
      state,
      snapshots,
      summaries: parts.announcements.summaries,
      look: (path) => lookAt(parts, path),
      inside: (path, folder) => (isInside(path, folder) ? relative(folder, path).split(sep).join('/') : null),
    }),
  };
};

const lookAt = async (parts: Parts, path: string) => {
  const real = await realPathIfThere(path);
  const stat = real === null ? null : await statIfThere(real);
  if (real === null || stat === null || !stat.isFile()) return null;
  if (Number(stat.size) > MAX_BLAME_BYTES)
    throw new BridgeError('limit', `${path} is too long.`, { data: { limit: MAX_BLAME_BYTES } });
  const bytes = await readFileIfThere(real);
  const repo = await repoSnapshot(parts.git, dirname(real));
  return bytes === null ? null : { path: real, root: repo?.root ?? dirname(real), bytes };
};

/** A path that leads out of the workspace is as good as absent: nothing outside is shown. */
const fileNow = async (root: string, path: string): Promise<FileNow> => {
  const absent: FileNow = { type: 'absent', bytes: new Uint8Array() };
  const place = join(root, path);
  const [realRoot, folder] = [await realPathIfThere(root), await realPathIfThere(dirname(place))];
  if (realRoot === null || folder === null || !isInside(folder, realRoot)) return absent;
  const stat = await statIfThere(place);
  if (stat === null) return absent;
  if (stat.isSymbolicLink()) return { type: 'link', bytes: Buffer.from(await readlink(place)) };
  const bytes = stat.isFile() ? await readFileIfThere(place) : null;
  return bytes === null ? absent : { type: 'file', bytes };
};

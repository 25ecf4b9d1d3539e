/**
 * One path of a restore: stage the wanted content beside it, then put it in place if the path is still exactly what
 * the plan saw. Every step has an inverse, which is how a restore that cannot go on takes back its own changes.
 */
import type { PathRef } from '@skein/core/record/path-ref';
import { type FileState, sameFileState } from '@skein/core/restore/file-state';
import type { IntentEntry } from '@skein/core/restore/journal-entry';
import { type HeldDir, openDir, syncHeldDir } from '../platform/tree-files.ts';
import { copyBlob, type FileHandle, readSmallBlob } from '../platform/tree-files-blobs.ts';
import { readFound, type Stamp } from '../platform/tree-files-read.ts';
import {
  type Changed,
  makeLink,
  putInPlace,
  removeName,
  removeTemp,
  setMode,
  stageBytes,
  stageFile,
  stageLink,
  syncFile,
} from '../platform/tree-files-write.ts';
import { stateOf } from './file-states.ts';
import { joinParts, partsOf, splitLast } from './tree-path.ts';

export type Step = IntentEntry['steps'][number];

export interface Site {
  readonly root: string;
  readonly blobs: string;
}

export const inverseOf = (step: Step): Step => ({
  ...step,
  action: step.ours.type === 'absent' ? 'delete' : step.result.type === 'absent' ? 'create' : 'write',
  ours: step.result,
  result: step.ours,
});

/** Only permission bits change: nothing is staged, the content stays where it is. */
const isModeOnly = ({ ours, result }: Step): boolean =>
  ours.type === 'file' && result.type === 'file' && ours.sha256 === result.sha256;

/** Whether the wanted content must lie beside the path before it can be put in place. */
export const isStaged = (step: Step): boolean =>
  (step.result.type === 'file' && !isModeOnly(step)) ||
  (step.result.type === 'link' && step.ours.type !== 'absent');

/**
 * Makes the temp file, on disk after `syncStaged`. False when the folder cannot be reached. Faults: `unreadable` (the
 * version is missing or damaged), `io`.
 */
export const stageStep = async (site: Site, step: Step): Promise<boolean> => {
  const { temp, result } = step;
  if (temp === null || !isStaged(step)) return true;
  return inFolder({ site, path: step.path, otherwise: false }, async (dir) => {
    removeTemp(dir, temp);
    if (result.type === 'link') stageLink(dir, temp, Buffer.from(result.target));
    if (result.type === 'file') {
      const { mode, sha256 } = result;
      const bytes = readSmallBlob(site.blobs, sha256);
      if (bytes !== null) {
        stageBytes(dir, temp, { mode, bytes });
        return true;
      }
      const fill = (handle: FileHandle): Promise<void> => copyBlob(site.blobs, sha256, handle);
      await stageFile(dir, temp, { mode, fill, later: true });
    }
    return true;
  });
};

/**
 * Every temp file of these steps is on disk when it resolves. After all of them were written, because the first sync then
 * does most of the work of the others. Fault `io`.
 */
export const syncStaged = async (site: Site, steps: readonly Step[]): Promise<void> => {
  const sync = async (step: Step): Promise<void> => {
    const { temp } = step;
    if (temp === null || step.result.type !== 'file' || !isStaged(step)) return;
    await inFolder({ site, path: step.path, otherwise: undefined }, (dir) => syncFile(dir, temp));
  };
  for (let first = 0; first < steps.length; first += SYNCED_AT_ONCE) {
    // All of them have ended when one is a fault: no descriptor of a temp is open while it is swept.
    const some = await Promise.allSettled(steps.slice(first, first + SYNCED_AT_ONCE).map(sync));
    for (const outcome of some) if (outcome.status === 'rejected') throw outcome.reason;
  }
};

/** They share what the file system writes for each. */
const SYNCED_AT_ONCE = 16;

/** Carries the step out; `moved` when the path is not what the plan saw. On disk after `syncSteps`. Fault `io`. */
export const swapStep = async (site: Site, step: Step): Promise<Changed> => {
  const { name } = splitLast(partsOf(step.path));
  return inFolder<Changed>({ site, path: step.path, otherwise: 'moved' }, async (dir) => {
    const found = await readFound(dir, name);
    if (!sameFileState(stateOf(found), step.ours)) return 'moved';
    return put(dir, step, found.type === 'file' || found.type === 'link' ? found.stamp : null);
  });
};

/** Every change of these steps is on disk when it resolves: each folder is synced once. Fault `io`. */
export const syncSteps = async (site: Site, steps: readonly Pick<Step, 'path'>[]): Promise<void> => {
  const folders = new Map(steps.map(({ path }) => [folderKey(path), path]));
  for (const path of folders.values()) await inFolder({ site, path, otherwise: undefined }, syncHeldDir);
};

const folderKey = (path: PathRef): string =>
  Buffer.from(joinParts(splitLast(partsOf(path)).folder)).toString('latin1');

/** No await between the last look and the change: nothing of ours can come in between. */
function put(dir: HeldDir, step: Step, expected: Stamp | null): Changed {
  const { name } = splitLast(partsOf(step.path));
  const { result, temp } = step;
  if (result.type === 'absent') return expected === null ? 'moved' : removeName(dir, name, expected);
  if (result.type === 'file' && isModeOnly(step)) {
    return expected === null ? 'moved' : setMode(dir, { name, expected, mode: result.mode });
  }
  if (result.type === 'link' && expected === null) return makeLink(dir, name, Buffer.from(result.target));
  return temp === null ? 'moved' : putInPlace(dir, { temp, name, expected });
}

/** What lies at the path now; `other` when the way to it is blocked. */
export const stateAt = async (site: Site, path: PathRef): Promise<FileState> => {
  const { folder, name } = splitLast(partsOf(path));
  const opened = openDir(site.root, folder);
  if (opened.kind === 'missing') return { type: 'absent' };
  if (opened.kind === 'blocked') return { type: 'other', reason: 'the way to it is blocked' };
  try {
    return stateOf(await readFound(opened.dir, name));
  } finally {
    opened.dir.close();
  }
};

/** Removes the step's temp when a crash or a refusal left it. Fault `io`. */
export const sweepStep = async (site: Site, step: Pick<Step, 'path' | 'temp'>): Promise<void> => {
  const { temp } = step;
  if (temp === null) return;
  await inFolder({ site, path: step.path, otherwise: false }, async (dir) => removeTemp(dir, temp));
};

/** `otherwise`: the answer when the folder of the path cannot be reached without following a link. */
async function inFolder<T>(
  place: { readonly site: Site; readonly path: PathRef; readonly otherwise: T },
  task: (dir: HeldDir) => Promise<T>,
): Promise<T> {
  const opened = openDir(place.site.root, splitLast(partsOf(place.path)).folder);
  if (opened.kind !== 'open') return place.otherwise;
  try {
    return await task(opened.dir);
  } finally {
    opened.dir.close();
  }
}

/**
 * One gated write. Order: versions before and after parked, journal line on disk, temp beside the target, one rename,
 * folder synced. Until the journal line is on disk nothing in the workspace has changed.
 */
import type { Sha256 } from '@skein/core/record/ids';
import { showPath } from '@skein/core/record/path-ref';
import { type FileState, sameFileState } from '@skein/core/restore/file-state';
import { type HeldDir, openDir, syncHeldDir } from '../platform/tree-files.ts';
import { storeBytes } from '../platform/tree-files-blobs.ts';
import type { Stamp } from '../platform/tree-files-read.ts';
import {
  newFileMode,
  putInPlace,
  removeTemp,
  stageFile,
  tempName,
  writeFully,
} from '../platform/tree-files-write.ts';
import { blobsDir, parkOf } from './deps.ts';
import { lookAt, type Sight } from './file-states.ts';
import { dropFolders, makeFolders, missingFolders } from './folders.ts';
import type { GateContext } from './gate-context.ts';
import { explainGap, journalMutations, journalUndone, type Mutation } from './gate-journal.ts';
import { findPlace } from './gate-place.ts';
import type { GateResult } from './gate-types.ts';
import { type Refused, refuse, refusedPark } from './refusal.ts';
import { type Parts, partsOf, refOf, splitLast } from './tree-path.ts';
import type { TurnGate } from './types.ts';

type Request = Parameters<TurnGate['write']>[0];

/** Fault `io` when the disk refuses after the versions were parked; the file is then as it was. */
export const gateWrite = async (gate: GateContext, request: Request): Promise<GateResult> => {
  const place = await findPlace(gate, request.path, { access: 'write', followLast: true });
  if (place.kind === 'refused') return place;
  const parked = await park(gate, place.parts, request);
  if (parked.kind === 'refused') return parked;
  const { sight, post } = parked;
  const path = refOf(place.parts);
  const done: GateResult = { kind: 'written', path: showPath(path), pre: sight.state, post };
  if (sameFileState(sight.state, post)) {
    await explainGap(gate, { path, pre: post });
    return done;
  }
  return (await carryOut(gate, { ...request, parts: place.parts, sight, post })) ?? done;
};

type Parked = { readonly kind: 'parked'; readonly sight: Sight; readonly post: FileState } | Refused;

async function park(gate: GateContext, parts: Parts, { path, bytes, expect }: Request): Promise<Parked> {
  try {
    const sight = await lookAt(gate.root, parts, parkOf(gate.store));
    const refused = checkState(path, sight.state) ?? checkExpected(path, sight.state, expect);
    if (refused !== null) return refused;
    const sha256 = (await storeBytes(blobsDir(gate.store), bytes)) as Sha256;
    await gate.store.failpoint?.('gate.parked');
    const mode = sight.state.type === 'file' ? sight.state.mode : newFileMode();
    return { kind: 'parked', sight, post: { type: 'file', sha256, bytes: bytes.length, mode } };
  } catch (error) {
    return refusedPark(path, error);
  }
}

export const checkState = (path: string, state: FileState): Refused | null => {
  if (state.type === 'dir') return refuse('not_regular', `${path} is a folder.`);
  if (state.type === 'other') return refuse('not_regular', `${path} is not a regular file: ${state.reason}.`);
  return null;
};

/** `undefined`: anything goes. `null`: nothing may be there. Else the hash that the agent has read. */
export const checkExpected = (
  path: string,
  state: FileState,
  expect: string | null | undefined,
): Refused | null => {
  if (expect === undefined) return null;
  if (expect === null) {
    if (state.type === 'absent') return null;
    return refuse('changed_since_read', `${path} exists by now. Read it before you change it.`);
  }
  if (state.type === 'file' && state.sha256 === expect) return null;
  const what = state.type === 'absent' ? 'was deleted' : 'has changed';
  return refuse('changed_since_read', `${path} ${what} since you read it. Read it again.`);
};

interface Write extends Request {
  readonly parts: Parts;
  readonly sight: Sight;
  readonly post: FileState;
}

/** Null when it is done. */
async function carryOut(gate: GateContext, write: Write): Promise<Refused | null> {
  const temp = tempName('write', gate.store.newName());
  const mutation: Mutation = {
    call: write.call,
    path: refOf(write.parts),
    pre: write.sight.state,
    post: write.post,
    madeDirs: missingFolders(write.parts, write.sight.foldersThere),
    temp,
    by: 'gate',
  };
  try {
    await journalMutations(gate, [mutation]);
  } catch (error) {
    return refusedPark(write.path, error);
  }
  try {
    await gate.store.failpoint?.('gate.journalled');
    await makeFolders(gate.root, mutation.madeDirs);
    if (await replace(gate, write, temp)) return null;
  } catch (error) {
    await takeBack(gate, mutation);
    throw error;
  }
  await takeBack(gate, mutation);
  return refuse('changed_since_read', `${write.path} changed while it was being written. Read it again.`);
}

/** What was journalled and did not happen; a rename that did happen stands, whatever failed after it. */
export async function takeBack(gate: GateContext, mutation: Mutation): Promise<void> {
  const now = await lookAt(gate.root, partsOf(mutation.path));
  if (sameFileState(now.state, mutation.post)) return;
  await dropFolders(gate.root, mutation.madeDirs);
  await journalUndone(gate, mutation);
}

/** False when the target, or the way to it, is no longer what was parked. */
async function replace(gate: GateContext, write: Write, temp: string): Promise<boolean> {
  const { folder, name } = splitLast(write.parts);
  const opened = openDir(gate.root, folder);
  if (opened.kind !== 'open') return false;
  try {
    const mode = write.post.type === 'file' ? write.post.mode : newFileMode();
    await stageFile(opened.dir, temp, { mode, fill: (handle) => writeFully(handle, write.bytes) });
    return await swap(gate, { dir: opened.dir, temp, name, expected: write.sight.stamp });
  } finally {
    opened.dir.close();
  }
}

async function swap(
  gate: GateContext,
  step: {
    readonly dir: HeldDir;
    readonly temp: string;
    readonly name: Uint8Array;
    readonly expected: Stamp | null;
  },
): Promise<boolean> {
  try {
    await gate.store.failpoint?.('gate.staged');
    if (putInPlace(step.dir, step) === 'moved') return false;
  } finally {
    removeTemp(step.dir, step.temp);
  }
  await gate.store.failpoint?.('gate.renamed');
  await syncHeldDir(step.dir);
  return true;
}

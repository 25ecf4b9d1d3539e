/** A prepared restore as people and scripts see it. */
import type { RestoreRequest, RestoreResult } from '@skein/core/protocol/restore';
import type { PathRef } from '@skein/core/record/path-ref';
import type { FileState } from '@skein/core/restore/file-state';
import { openDir } from '../platform/tree-files.ts';
import { readFound } from '../platform/tree-files-read.ts';
import type { SnapshotStoreDeps } from './deps.ts';
import type { Prepared, Target } from './prepare-restore.ts';
import { partsOf, splitLast } from './tree-path.ts';
import type { RestoreWorkspace } from './types.ts';
import { MAX_TEXT_BYTES, readVersion, showText, type Version } from './versions.ts';

/** Fault `io`. Nothing is written. */
export const describeRestore = async (
  deps: SnapshotStoreDeps,
  workspace: RestoreWorkspace,
  view: { readonly request: RestoreRequest; readonly target: Target; readonly prepared: Prepared },
): Promise<RestoreResult> => {
  const { plan, hash, unrestored } = view.prepared;
  const files: RestoreResult['files'] = [];
  for (const { path, action, ours, result } of plan.steps) {
    const now = showText(await readOurs(workspace.root, path, ours));
    const then = showText(await readVersion(deps, result));
    files.push({
      path,
      action,
      hunks: [],
      laterTurns: [],
      now: now.text,
      // biome-ignore lint/suspicious/noThenProperty: a name of the protocol; the object is never awaited
      then: then.text,
      binary: now.binary || then.binary,
    });
  }
  const conflicts: RestoreResult['conflicts'] = [];
  for (const { path, reason, ours, theirs } of plan.conflicts) {
    const now = showText(await readOurs(workspace.root, path, ours)).text;
    const then = showText(await readVersion(deps, theirs)).text;
    conflicts.push({ path, reason, now, then, base: null, markers: null, choices: [] });
  }
  return {
    applied: false,
    plan: hash,
    direction: view.request.direction,
    turns: [...view.target.turns],
    scope: view.request.scope,
    files,
    conflicts,
    unattributed: [],
    unrestored: [...unrestored],
  };
};

/** What is on disk was not parked for a preview: it is read where it lies. */
async function readOurs(root: string, path: PathRef, ours: FileState): Promise<Version> {
  if (ours.type === 'absent') return { kind: 'absent' };
  if (ours.type === 'link') return { kind: 'bytes', bytes: Buffer.from(ours.target) };
  if (ours.type !== 'file' || ours.bytes > MAX_TEXT_BYTES) return { kind: 'unknown' };
  const { folder, name } = splitLast(partsOf(path));
  const opened = openDir(root, folder);
  if (opened.kind !== 'open') return { kind: 'unknown' };
  try {
    const chunks: Uint8Array[] = [];
    const found = await readFound(opened.dir, name, async (chunk) => {
      if (chunk === null) chunks.length = 0;
      else chunks.push(Buffer.from(chunk));
    });
    const isSame = found.type === 'file' && found.sha256 === ours.sha256;
    return isSame ? { kind: 'bytes', bytes: Buffer.concat(chunks) } : { kind: 'unknown' };
  } finally {
    opened.dir.close();
  }
}

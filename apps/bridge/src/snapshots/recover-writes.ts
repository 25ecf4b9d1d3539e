/**
 * The gate's side of a crash: temps are swept, and a write that was journalled but did not come about is written down
 * as such, so that an undo of the turn does not take the file's old content for somebody's edit.
 */

import type { TurnId } from '@skein/core/record/ids';
import { type PathRef, pathKey } from '@skein/core/record/path-ref';
import { sameFileState } from '@skein/core/restore/file-state';
import type { JournalEntry, MutationEntry } from '@skein/core/restore/journal-entry';
import { blobsDir, type StoreContext } from './deps.ts';
import { dropFolders } from './folders.ts';
import { appendEntries } from './journal.ts';
import { type Site, stateAt, sweepStep } from './restore-step.ts';
import type { RestoreWorkspace } from './types.ts';

/** Looks at the newest turn only: an older one was settled before it began. May run again. Fault `io`. */
export const recoverWrites = async (
  store: StoreContext,
  { strand, root }: RestoreWorkspace,
  entries: readonly JournalEntry[],
): Promise<void> => {
  const site: Site = { root, blobs: blobsDir(store) };
  const newest = entries.findLast((entry): entry is MutationEntry => entry.kind === 'mutation');
  if (newest === undefined) return;
  for (const mutation of lastOfEachPath(entries, newest.turn)) {
    await sweepStep(site, mutation);
    if (sameFileState(mutation.pre, mutation.post)) continue;
    if (!sameFileState(await stateAt(site, mutation.path), mutation.pre)) continue;
    await dropFolders(root, mutation.madeDirs);
    const { kind, turn, call, path, by } = mutation;
    const undone = { pre: mutation.post, post: mutation.pre, madeDirs: [] as PathRef[], temp: null };
    await appendEntries(store, strand, [{ kind, turn, call, path, by, ...undone }]);
  }
};

function lastOfEachPath(entries: readonly JournalEntry[], turn: TurnId): readonly MutationEntry[] {
  const last = new Map<string, MutationEntry>();
  for (const entry of entries) {
    if (entry.kind === 'mutation' && entry.turn === turn) last.set(pathKey(entry.path), entry);
  }
  return [...last.values()];
}

/**
 * A turn that ended in the middle of a write: temps are swept, and a write that was journalled but did not come about is
 * written down as such, so that an undo of the turn does not take the file's old content for somebody's edit.
 */
import type { TurnId } from '@skein/core/record/ids';
import { pathKey } from '@skein/core/record/path-ref';
import { sameFileState } from '@skein/core/restore/file-state';
import type { JournalEntry, MutationEntry } from '@skein/core/restore/journal-entry';
import { blobsDir, type StoreContext } from './deps.ts';
import { dropFolders } from './folders.ts';
import { appendEntries, type JournalBody, readJournal } from './journal.ts';
import { type Site, stateAt, sweepStep } from './restore-step.ts';
import type { RestoreWorkspace } from './types.ts';

/** For a turn that is still open in its session. May run again. Fault `io`. */
export const recoverWrites = async (
  store: StoreContext,
  { strand, root }: RestoreWorkspace,
  turn: TurnId,
): Promise<void> => {
  const site: Site = { root, blobs: blobsDir(store) };
  const { entries } = await readJournal(store, strand);
  const undone: JournalBody[] = [];
  for (const mutation of lastOfEachPath(entries, turn)) {
    await sweepStep(site, mutation);
    if (sameFileState(mutation.pre, mutation.post)) continue;
    if (!sameFileState(await stateAt(site, mutation.path), mutation.pre)) continue;
    await dropFolders(root, mutation.madeDirs);
    const { kind, call, path, by } = mutation;
    undone.push({
      kind,
      turn,
      call,
      path,
      by,
      pre: mutation.post,
      post: mutation.pre,
      madeDirs: [],
      temp: null,
    });
  }
  await appendEntries(store, strand, undone);
};

/** None once a restore came after them: then the turn had ended, and what lies on disk is the restore's doing. */
function lastOfEachPath(entries: readonly JournalEntry[], turn: TurnId): readonly MutationEntry[] {
  const last = new Map<string, MutationEntry>();
  for (const entry of entries) {
    if (entry.kind === 'intent') last.clear();
    if (entry.kind === 'mutation' && entry.turn === turn) last.set(pathKey(entry.path), entry);
  }
  return [...last.values()];
}

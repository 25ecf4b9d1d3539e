/** Giving back what a store holds for nobody any more: refs of turns, refs of processes that are gone, then git's gc. */

import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import { type Git, runGit } from '../../platform/git.ts';
import { deleteRefs, listRefs, type StoreRef } from './refs.ts';
import type { StoreDir } from './store-dir.ts';

/** Objects that are younger stay: a capture that is being written has no ref yet. */
const GRACE = '1.hour.ago';
/** A process renews its ref every half day. */
const STALE_SECONDS = 2 * 24 * 3600;
const GC_DEADLINE_MS = 15 * 60_000;

/** What restores of these turns needed is not kept any longer. Repeatable. Fault `io`. */
export const releaseTurns = async (
  git: Git,
  store: StoreDir,
  released: { readonly strand: StrandId; readonly turns: readonly TurnId[] },
): Promise<void> => {
  const wanted = new Set<string>(released.turns);
  const refs = await listRefs(git, store, `refs/skein/turns/${released.strand}/`);
  await deleteRefs(
    git,
    store,
    refs.filter(({ name }) => wanted.has(name.split('/')[4] ?? '')),
  );
};

/** One at a time for a store; the caller sees to that. Faults: `io`, a gc that was killed included. */
export const collectGarbage = async (
  git: Git,
  store: StoreDir,
  { nowMs, mayRepack }: { readonly nowMs: number; readonly mayRepack: boolean },
): Promise<void> => {
  const latest = await listRefs(git, store, 'refs/skein/latest/');
  await deleteRefs(git, store, staleOf(latest, nowMs / 1000));
  await run(git, store, ['prune', `--expire=${GRACE}`]);
  // A repack needs room for a second copy.
  if (mayRepack) await run(git, store, ['gc', '--quiet', `--prune=${GRACE}`]);
};

/** The newest of a work tree stays, however old: a cache on disk may rest on it. */
const staleOf = (refs: readonly StoreRef[], now: number): readonly StoreRef[] => {
  const newest = new Map<string, { readonly ref: StoreRef; readonly at: number }>();
  for (const ref of refs) {
    const worktree = ref.name.split('/')[3] ?? '';
    const other = newest.get(worktree);
    if (ref.at !== null && (other === undefined || other.at < ref.at))
      newest.set(worktree, { ref, at: ref.at });
  }
  const kept = new Set([...newest.values()].map(({ ref }) => ref));
  // One whose commit is lost keeps nothing, and git's gc refuses to work as long as it is there.
  return refs.filter((ref) => ref.at === null || (!kept.has(ref) && ref.at < now - STALE_SECONDS));
};

const run = async (git: Git, store: StoreDir, args: readonly string[]): Promise<void> => {
  const answer = await runGit(git, {
    cwd: store.gitDir,
    args: ['--git-dir', store.gitDir, ...args],
    deadlineMs: GC_DEADLINE_MS,
  });
  if (answer.code === 0) return;
  const how = answer.timedOut ? 'took too long' : `ended with ${answer.code ?? answer.signal ?? 'no answer'}`;
  throw new BridgeError(
    'io',
    `git ${args[0] ?? ''} of a snapshot store ${how}: ${answer.stderr.trim().slice(0, 400)}`,
    {
      data: { path: store.gitDir },
    },
  );
};

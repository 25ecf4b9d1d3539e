/** What is known of a work tree from capture to capture, and from start to start. */
import { ROOT_PATH } from '../../platform/byte-path.ts';
import type { CaptureOutcome } from './capture.ts';
import type { Captured } from './captured.ts';
import { latestRef, listRefs, writeRef } from './refs.ts';
import { hasAllObjects, hasAllPacks, packsOf } from './store-packs.ts';
import { readTreeCache, writeTreeCache } from './tree-cache.ts';
import type { WorkTreeContext } from './work-tree-context.ts';

export interface TreeMemory {
  /** Null when nothing is known: then everything is read. Fault `io`. */
  before(): Promise<Captured | null>;
  /** The store keeps what this one rests on. Fault `io`: then the one before is still in force. */
  keep(outcome: CaptureOutcome): Promise<void>;
  /** For the next start. A failure is told to `onFault`: only the next start is slower. */
  save(): Promise<void>;
}

/** So many files read make the next start worth a cache at once. */
const SAVE_AFTER = 200;
/** Upkeep lets go of what nobody renewed for two days: past this it must be asked for. */
const TRUST_MS = 36 * 3600_000;

type Kept = Captured & { readonly packs: ReadonlySet<string> };

export const createMemory = (context: WorkTreeContext): TreeMemory => {
  const { store, worktree, git, nowMs, onFault } = context;
  const ref = latestRef(worktree, context.newName());
  let captured: Kept | null = null;
  let isLoaded = false;
  let refAt = '';
  let unsaved = 0;

  /** The ref first: from then on nobody's gc takes away what was found to be there. */
  const pin = async (commit: string): Promise<void> => {
    if (refAt !== commit) await writeRef(store, ref, commit);
    refAt = commit;
  };
  const load = async (): Promise<Kept | null> => {
    const cached = await fromCache(context);
    if (cached !== null) await pin(cached.commit);
    return cached;
  };
  const isPinned = async ({ atMs, commit }: Kept): Promise<boolean> => {
    if (nowMs() - atMs < TRUST_MS) return true;
    const refs = await listRefs(git, store, ref);
    return refs.some((found) => found.commit === commit && found.at !== null);
  };
  const withPacks = async (known: Kept): Promise<Kept | null> => {
    const packs = await packsOf(store);
    if (hasAllPacks(packs, known.packs)) return known;
    return (await hasAllObjects(git, store, known)) ? { ...known, packs } : null;
  };
  const save = async (): Promise<void> => {
    if (captured === null || unsaved === 0) return;
    try {
      await writeTreeCache(store, worktree, captured);
      unsaved = 0;
    } catch (error) {
      onFault(error);
    }
  };

  return {
    async before() {
      if (!isLoaded) captured = await load();
      isLoaded = true;
      if (captured !== null && !(await isPinned(captured))) captured = null;
      if (captured !== null) captured = await withPacks(captured);
      // What is read anew is kept by a new ref.
      if (captured === null) refAt = '';
      return captured;
    },
    async keep(outcome) {
      await pin(outcome.commit);
      const { state, rules, commit, tree, atMs } = outcome;
      captured = { state, rules, commit, tree, atMs, packs: await packsOf(store) };
      unsaved += outcome.read;
      if (unsaved >= SAVE_AFTER) await save();
    },
    save,
  };
};

/** Only while the store still keeps the commit that it rests on: then everything below it is there too. */
const fromCache = async (context: WorkTreeContext): Promise<Kept | null> => {
  const { store, worktree, git, root } = context;
  const cached = await readTreeCache(store, worktree, root);
  if (cached === null) return null;
  const refs = await listRefs(git, store, `refs/skein/latest/${worktree}`);
  const kept = refs.find((ref) => ref.commit === cached.commit);
  const tree = cached.state.folders.get(ROOT_PATH)?.tree?.toString('hex');
  if (kept === undefined || kept.at === null || tree === undefined) return null;
  return { ...cached, tree, atMs: kept.at * 1000 };
};

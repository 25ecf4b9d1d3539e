/** What is known of a work tree from capture to capture, and from start to start. */
import type { BytePath } from '../../platform/byte-path.ts';
import type { CaptureOutcome } from './capture.ts';
import type { Captured } from './captured.ts';
import { latestRef, listRefs, writeRef } from './refs.ts';
import { readTreeCache, writeTreeCache } from './tree-cache.ts';
import type { WorkTreeContext } from './work-tree-context.ts';

export interface TreeMemory {
  /** Null when nothing is known: then everything is read. Fault `io`. */
  before(): Promise<Captured | null>;
  /** The store keeps what this one rests on. Fault `io`. */
  keep(outcome: CaptureOutcome): Promise<void>;
  /** How many captures were kept. */
  generation(): number;
  /** For the next start. Fault `io`. */
  save(): Promise<void>;
}

/** So many files read make the next start worth a cache at once. */
const SAVE_AFTER = 200;
/** Upkeep lets go of what nobody renewed for two days: past this it must be asked for. */
const TRUST_MS = 36 * 3600_000;

export const createMemory = (context: WorkTreeContext): TreeMemory => {
  const { store, worktree, git, nowMs } = context;
  const ref = latestRef(worktree, context.newName());
  let captured: Captured | null = null;
  let isLoaded = false;
  let kept = '';
  let count = 0;
  let unsaved = 0;
  const save = async (): Promise<void> => {
    if (captured === null || unsaved === 0) return;
    await writeTreeCache(store, worktree, captured);
    unsaved = 0;
  };
  return {
    async before() {
      if (!isLoaded) {
        captured = await fromCache(context);
        isLoaded = true;
      }
      if (captured === null || nowMs() - captured.atMs < TRUST_MS) return captured;
      const { commit } = captured;
      const refs = await listRefs(git, store, ref);
      return refs.some((found) => found.commit === commit) ? captured : null;
    },
    async keep(outcome) {
      if (kept !== outcome.commit) await writeRef(store, ref, outcome.commit);
      kept = outcome.commit;
      const { state, rules, commit, tree, atMs } = outcome;
      captured = { state, rules, commit, tree, atMs };
      count += 1;
      unsaved += outcome.read;
      if (unsaved >= SAVE_AFTER) await save();
    },
    generation: () => count,
    save,
  };
};

/** Only while the store still keeps the commit that it rests on: then everything below it is there too. */
const fromCache = async (context: WorkTreeContext): Promise<Captured | null> => {
  const { store, worktree, git, root } = context;
  const cached = await readTreeCache(store, worktree, root);
  if (cached === null) return null;
  const refs = await listRefs(git, store, `refs/skein/latest/${worktree}`);
  const kept = refs.find((ref) => ref.commit === cached.commit);
  const tree = cached.state.folders.get('' as BytePath)?.tree?.toString('hex');
  return kept === undefined || tree === undefined ? null : { ...cached, tree, atMs: kept.at * 1000 };
};

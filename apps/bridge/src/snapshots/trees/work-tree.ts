/** One captured folder: its memory, its watcher, one capture at a time. */
import { type BytePath, lastName, parentPath } from '../../platform/byte-path.ts';
import { createQueue } from '../queue.ts';
import { type CaptureOutcome, takeCapture } from './capture.ts';
import { createChangeLog } from './change-log.ts';
import { createMemory } from './memory.ts';
import { turnRef, writeRef } from './refs.ts';
import type { Dirty } from './scan.ts';
import { NO_WATCH, openTreeWatch } from './tree-watch.ts';
import type { Capture, LeftOut, WorkTree } from './types.ts';
import type { WorkTreeContext } from './work-tree-context.ts';

interface Step {
  readonly outcome: CaptureOutcome;
  /** What the watcher had told of before it. */
  readonly told: Dirty | 'lost';
  readonly generation: number;
}

export const openWorkTree = (context: WorkTreeContext): WorkTree => {
  const { store, worktree } = context;
  const queue = createQueue();
  const log = createChangeLog();
  const memory = createMemory(context);
  let watch = NO_WATCH;
  let isOpen = false;

  const step = async (isFull: boolean): Promise<Step> => {
    if (!isOpen && context.watch) watch = await openTreeWatch(context);
    isOpen = true;
    const before = await memory.before();
    const told = await watch.told();
    const dirty = isFull || before === null ? 'lost' : told;
    const outcome = await takeCapture(context, { before, dirty, onFolder: watch.onFolder });
    await memory.keep(outcome);
    watch.settled(outcome.removed.filter((path) => !outcome.state.folders.has(path)));
    const generation = context.newGeneration();
    log.add({
      generation,
      changes: before === null ? null : outcome.changes,
      newFolders: outcome.newFolders,
      removed: outcome.removed,
      unknown: [...outcome.unknown, ...leftOutOf(outcome)],
    });
    return { outcome, told, generation };
  };

  /** What a full look finds right after a quick one, although nobody told of it. */
  const audit = async (): Promise<readonly BytePath[]> => {
    if ((await watch.told()) === 'lost') return [];
    await step(false);
    const { outcome, told } = await step(true);
    const since = await watch.told();
    if (told === 'lost' || since === 'lost') return [];
    const missed = outcome.changes.map(({ path }) => path);
    return missed.filter((path) => !isTold(told, path) && !isTold(since, path));
  };

  return {
    key: store.key,
    capture: () => queue.run(worktree, async () => describe(await step(false))),
    diff: log.diff,
    hold: log.hold,
    letGo: log.letGo,
    isHeld: log.isHeld,
    async pin(turn, captures) {
      for (const [at, { commit }] of captures.entries()) await writeRef(store, turnRef(turn, at), commit);
    },
    audit: () => queue.run(worktree, audit),
    close: () =>
      queue.run(worktree, async () => {
        watch.close();
        isOpen = true;
        watch = NO_WATCH;
        await memory.save();
      }),
  };
};

const describe = ({ outcome, generation }: Step): Capture => ({
  generation,
  commit: outcome.commit,
  tree: outcome.tree,
  isFull: outcome.isFull,
  leftOut: leftOutOf(outcome),
});

const leftOutOf = ({ state }: CaptureOutcome): readonly LeftOut[] =>
  [...state.leftOut].map(([path, reason]) => ({ path, reason }));

const isTold = (since: Dirty, path: BytePath): boolean =>
  since.get(parentPath(path))?.has(lastName(path)) === true;

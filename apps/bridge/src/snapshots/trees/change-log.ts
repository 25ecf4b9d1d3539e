/** What changed from capture to capture, kept while somebody holds an earlier capture. */
import { type BytePath, parentPath } from '../../platform/byte-path.ts';
import { sameVersion } from './folder.ts';
import type { Capture, LeftOut, TreeChange, TreeDiff } from './types.ts';

export interface LoggedCapture {
  readonly generation: number;
  /** Since the capture before; null when that one was not known any more. */
  readonly changes: readonly TreeChange[] | null;
  readonly newFolders: readonly BytePath[];
  readonly removed: readonly BytePath[];
  /** Left out, whether for this one only or as long as it is there. */
  readonly unknown: readonly LeftOut[];
}

export interface ChangeLog {
  add(logged: LoggedCapture): void;
  hold(capture: Capture): void;
  letGo(capture: Capture): void;
  isHeld(): boolean;
  diff(from: Capture, to: Capture): TreeDiff | 'lost';
}

export const createChangeLog = (): ChangeLog => {
  let logged: LoggedCapture[] = [];
  /** Every capture after this generation is logged; none at all in the beginning. */
  let since = Number.POSITIVE_INFINITY;
  const held = new Map<number, number>();
  const forgetUpTo = (generation: number): void => {
    since = generation;
    logged = logged.filter((one) => one.generation > generation);
  };
  return {
    add(entry) {
      logged.push(entry);
      // Whoever got an earlier capture and did not say yet that it is wanted is told `lost`, never half of the truth.
      if (held.size === 0 || entry.changes === null) forgetUpTo(entry.generation);
    },
    hold: ({ generation }) => {
      held.set(generation, (held.get(generation) ?? 0) + 1);
    },
    letGo({ generation }) {
      const left = (held.get(generation) ?? 0) - 1;
      if (left > 0) held.set(generation, left);
      else held.delete(generation);
      const oldest = Math.min(...held.keys(), logged.at(-1)?.generation ?? since);
      if (oldest > since) forgetUpTo(oldest);
    },
    isHeld: () => held.size > 0,
    diff(from, to) {
      if (!held.has(from.generation) || from.generation < since) return 'lost';
      const between = logged.filter(
        ({ generation }) => generation > from.generation && generation <= to.generation,
      );
      return joined(between, [...from.leftOut, ...to.leftOut]);
    },
  };
};

/** First `before` to last `after` of each path; what ends as it began is no change. */
const joined = (between: readonly LoggedCapture[], leftOut: readonly LeftOut[]): TreeDiff => {
  const changes = new Map<BytePath, TreeChange>();
  for (const change of between.flatMap((one) => one.changes ?? [])) {
    const first = changes.get(change.path);
    changes.set(change.path, first === undefined ? change : { ...first, after: change.after });
  }
  const unknown = new Map(
    [...leftOut, ...between.flatMap((entry) => entry.unknown)].map((one) => [one.path, one]),
  );
  // A file that was left out once may look created when it comes back: undoing that would delete it.
  const isKnown = ({ path }: TreeChange): boolean => !isAtOrBelow(unknown, path);
  return {
    newFolders: newFoldersOf(between),
    changes: [...changes.values()].filter((one) => !sameVersion(one.before, one.after) && isKnown(one)),
    unknown: [...unknown.values()],
  };
};

/** A folder that was removed and made again was there before. */
const newFoldersOf = (between: readonly LoggedCapture[]): readonly BytePath[] => {
  const there = new Set<BytePath>();
  const made = new Set<BytePath>();
  for (const { newFolders, removed } of between) {
    for (const path of removed) if (!made.has(path)) there.add(path);
    for (const path of newFolders) if (!there.has(path)) made.add(path);
  }
  return [...made].sort();
};

const isAtOrBelow = (unknown: ReadonlyMap<BytePath, LeftOut>, path: BytePath): boolean => {
  if (unknown.size === 0) return false;
  for (let above = path; above !== ''; above = parentPath(above)) if (unknown.has(above)) return true;
  return false;
};

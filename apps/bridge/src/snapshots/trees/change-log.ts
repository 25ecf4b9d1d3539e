/** What changed from capture to capture, kept while somebody holds an earlier capture. */
import type { BytePath } from '../../platform/byte-path.ts';
import { sameVersion } from './folder.ts';
import type { Capture, LeftOut, TreeChange, TreeDiff } from './types.ts';

export interface LoggedCapture {
  readonly generation: number;
  readonly changes: readonly TreeChange[];
  readonly newFolders: readonly BytePath[];
  readonly removed: readonly BytePath[];
  /** Left out for this one only. */
  readonly unknown: readonly LeftOut[];
}

export interface ChangeLog {
  add(logged: LoggedCapture): void;
  hold(capture: Capture): void;
  letGo(capture: Capture): void;
  diff(from: Capture, to: Capture): TreeDiff | 'lost';
}

export const createChangeLog = (): ChangeLog => {
  let logged: LoggedCapture[] = [];
  const held = new Map<number, number>();
  const forget = (): void => {
    const oldest = Math.min(...held.keys());
    logged = logged.filter(({ generation }) => generation > oldest);
  };
  return {
    add(entry) {
      if (held.size > 0) logged.push(entry);
    },
    hold: ({ generation }) => {
      held.set(generation, (held.get(generation) ?? 0) + 1);
    },
    letGo({ generation }) {
      const left = (held.get(generation) ?? 0) - 1;
      if (left > 0) held.set(generation, left);
      else held.delete(generation);
      forget();
    },
    diff(from, to) {
      if (!held.has(from.generation)) return 'lost';
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
  for (const { changes: some } of between) {
    for (const change of some) {
      const first = changes.get(change.path);
      changes.set(change.path, first === undefined ? change : { ...first, after: change.after });
    }
  }
  const unknown = new Map(
    [...leftOut, ...between.flatMap((entry) => entry.unknown)].map((one) => [one.path, one]),
  );
  return {
    newFolders: newFoldersOf(between),
    changes: [...changes.values()].filter(({ before, after }) => !sameVersion(before, after)),
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

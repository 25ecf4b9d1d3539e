/** Diffs of captures in the short form that tests compare. */
import type { Capture, FileVersion, TreeDiff, WorkTree } from '../../src/snapshots/trees/types.ts';

const short = (version: FileVersion | null): string =>
  version === null ? '-' : `${version.type} ${version.mode.toString(8)} ${version.bytes}`;

/** `before > after` by path. */
export const changesOf = (diff: TreeDiff | 'lost'): Record<string, string> => {
  if (diff === 'lost') throw new Error('The diff is lost.');
  return Object.fromEntries(
    diff.changes.map(({ path, before, after }) => [path, `${short(before)} > ${short(after)}`]),
  );
};

/** Reasons by path. */
export const unknownOf = (diff: TreeDiff | 'lost'): Record<string, string> => {
  if (diff === 'lost') throw new Error('The diff is lost.');
  return Object.fromEntries(diff.unknown.map(({ path, reason }) => [path, reason]));
};

export const leftOutOf = ({ leftOut }: Capture): Record<string, string> =>
  Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason]));

/** What changed while `work` ran, by the captures before and after it. */
export const during = async (
  tree: WorkTree,
  work: () => void | Promise<void>,
): Promise<{ readonly from: Capture; readonly to: Capture; readonly diff: TreeDiff | 'lost' }> => {
  const from = await tree.capture();
  tree.hold(from);
  await work();
  const to = await tree.capture();
  const diff = tree.diff(from, to);
  tree.letGo(from);
  return { from, to, diff };
};

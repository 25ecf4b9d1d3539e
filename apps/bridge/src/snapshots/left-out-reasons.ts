/** Why a turn is not covered in full, in words, from what its captures left out. */
import { type BytePath, bytesOf, textOf } from '../platform/byte-path.ts';
import type { LeftOut, LeftOutReason } from './trees/types.ts';

const MAX_NAMES = 5;

const WORDS: Readonly<Record<Exclude<LeftOutReason, 'special'>, string>> = {
  nested: 'Inside other repositories nothing is covered',
  unreadable: 'Files that could not be read are not covered',
  too_large: 'Files over the size limit are not covered',
  changing: 'Files that kept changing are not covered',
  unignored: 'Files that were ignored before this turn are not covered',
};

/** Pipes, sockets and devices have no content to lose: they are no reason. */
export const leftOutReasons = (leftOut: readonly LeftOut[]): readonly string[] =>
  Object.entries(WORDS).flatMap(([reason, words]) => {
    const paths = leftOut.filter((one) => one.reason === reason).map(({ path }) => path);
    return paths.length === 0 ? [] : [`${words}: ${namesOf(paths)}.`];
  });

const namesOf = (paths: readonly BytePath[]): string => {
  const names = paths
    .slice(0, MAX_NAMES)
    .map((path) => textOf(path) ?? `(bytes ${bytesOf(path).toString('base64')})`);
  const more = paths.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** A folder's own `.gitignore`, as far as it can be told without reading it. */
import { BridgeError } from '@skein/core/protocol/errors';
import { type BytePath, joinPath } from '../../platform/byte-path.ts';
import { lookAtPath } from '../../platform/sight.ts';
import type { TreeState } from './findings.ts';
import { isRacyAt } from './read-entry.ts';
import { IGNORE_NAME } from './rules.ts';

/**
 * A number that changes when the folder's `.gitignore` does; 0 without one; NaN, which equals nothing, while it may be
 * written again in the same tick. `blocks`: a pipe or a device, which git would read for ever (TRAPS A71).
 * Fault `io` when that one is the work tree's own.
 */
export const rulesIn = (state: TreeState, folder: BytePath, nowMs: number): number | 'blocks' => {
  const sight = lookAtPath(state.root, joinPath(folder, IGNORE_NAME));
  if (sight === null || sight === 'unreadable') return 0;
  if (sight.type === 'other') {
    if (folder !== '') return 'blocks';
    throw new BridgeError('io', 'The .gitignore of this folder is no file, so nothing can be captured.', {
      data: { path: state.root },
    });
  }
  // Git follows no link to rules.
  if (sight.type !== 'file') return 0;
  if (isRacyAt(sight.mtimeMs, nowMs)) return Number.NaN;
  return sight.mtimeMs + sight.ctimeMs / 3 + sight.ino * 7 + sight.size * 13;
};

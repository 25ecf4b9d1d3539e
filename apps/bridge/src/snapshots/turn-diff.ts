/** What turns did to files, as texts before and after: for the changes view. */

import type { TurnDiff } from '@skein/core/protocol/restore';
import type { TurnId } from '@skein/core/record/ids';
import {
  changeStatus,
  isNetChange,
  mutationsOf,
  type PathEffect,
  turnEffects,
} from '@skein/core/restore/effects';
import type { FileState } from '@skein/core/restore/file-state';
import type { StoreContext } from './deps.ts';
import { readJournal } from './journal.ts';
import { type TreeTexts, textsFromTrees } from './tree-versions.ts';
import type { RestoreWorkspace } from './types.ts';
import { countLines, MAX_TEXT_BYTES, readVersion, showText } from './versions.ts';

/** Several turns count as one: first `pre` to last `post`. Fault `io`. */
export const diffTurns = async (
  store: StoreContext,
  { strand }: RestoreWorkspace,
  turns: readonly TurnId[],
): Promise<TurnDiff> => {
  const { entries } = await readJournal(store, strand);
  const texts = await textsFromTrees(store, mutationsOf(entries, new Set(turns)), MAX_TEXT_BYTES);
  const files: TurnDiff['files'] = [];
  for (const effect of turnEffects(entries, turns).filter(isNetChange))
    files.push(await diffFile(store, effect, texts));
  return { files };
};

async function diffFile(
  store: StoreContext,
  { path, theirs, base }: PathEffect,
  texts: TreeTexts,
): Promise<TurnDiff['files'][number]> {
  const [from, to] = [await readVersion(store, theirs, texts), await readVersion(store, base, texts)];
  const counts = countLines(from, to);
  const [before, after] = [showText(from), showText(to)];
  return {
    path,
    status: changeStatus(theirs, base),
    added: counts?.added ?? null,
    removed: counts?.removed ?? null,
    before: before.text,
    after: after.text,
    binary: before.binary || after.binary,
    modeBefore: modeOf(theirs),
    modeAfter: modeOf(base),
  };
}

function modeOf(state: FileState): number | null {
  return state.type === 'file' ? state.mode : null;
}

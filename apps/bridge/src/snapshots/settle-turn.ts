/** What a turn did to files, from its journal: for the `turn` record. */
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { Coverage, FileChange } from '@skein/core/record/schema';
import {
  fileChangesOf,
  isNetChange,
  type LineCounts,
  mutationsOf,
  type PathEffect,
  turnEffects,
} from '@skein/core/restore/effects';
import type { StoreContext } from './deps.ts';
import { readJournal } from './journal.ts';
import type { JournalText } from './journal-lines.ts';
import { type TreeTexts, textsFromTrees } from './tree-versions.ts';
import { countLines, MAX_TEXT_BYTES, readVersion } from './versions.ts';

export interface SettledTurn {
  readonly files: readonly FileChange[];
  /** `full` as far as the journal goes; what ran outside the gate is for the caller to add. */
  readonly coverage: Coverage;
}

/** Fault `io`. */
export const settleTurn = async (
  deps: StoreContext,
  strand: StrandId,
  turn: TurnId,
): Promise<SettledTurn> => {
  const journal = await readJournal(deps, strand);
  const effects = turnEffects(journal.entries, turn);
  const texts = await textsFromTrees(
    deps,
    [...mutationsOf(journal.entries, new Set([turn]))],
    MAX_TEXT_BYTES,
  );
  const counts = new Map<PathEffect, LineCounts | null>();
  for (const effect of effects.filter(isNetChange)) counts.set(effect, await countsOf(deps, effect, texts));
  return {
    files: fileChangesOf(effects, (effect) => counts.get(effect) ?? null),
    coverage: coverageOf(journal, turn),
  };
};

async function countsOf(
  deps: StoreContext,
  { theirs, base }: PathEffect,
  texts: TreeTexts,
): Promise<LineCounts | null> {
  return countLines(await readVersion(deps, theirs, texts), await readVersion(deps, base, texts));
}

function coverageOf({ bad }: JournalText, turn: TurnId): Coverage {
  const damaged = bad.find(({ touches }) => touches.has(turn));
  if (damaged === undefined) return { level: 'full', reasons: [] };
  const reason = `Line ${damaged.line} of this turn's journal is damaged (${damaged.reason}): its files cannot be undone.`;
  return { level: 'none', reasons: [reason] };
}

/** Refuses what an upkeep has removed: "its versions are gone" must never look like "there was no file". */
import { BridgeError } from '@skein/core/protocol/errors';
import type { OpId, TurnId } from '@skein/core/record/ids';
import type { RestoreScope } from '@skein/core/record/schema';
import type { ExpiredEntry, JournalEntry } from '@skein/core/restore/journal-entry';
import { expiredSentence } from '@skein/core/restore/retention';

/** Faults `nothing_to_undo`, `nothing_to_redo` with `data.reason: 'expired'`. The conversation alone can always move. */
export const mustBeKept = (
  entries: readonly JournalEntry[],
  wanted: {
    readonly scope: RestoreScope;
    readonly turns: readonly TurnId[];
    readonly redoes: OpId | null;
  },
): void => {
  if (wanted.scope === 'chat') return;
  const isWanted = ({ turns, ops }: ExpiredEntry): boolean =>
    wanted.redoes === null ? turns.some((turn) => wanted.turns.includes(turn)) : ops.includes(wanted.redoes);
  const tomb = entries.find((entry): entry is ExpiredEntry => entry.kind === 'expired' && isWanted(entry));
  if (tomb === undefined) return;
  const direction = wanted.redoes === null ? 'undo' : 'redo';
  const rest = wanted.scope === 'both' ? ` The conversation alone can still be moved: scope chat.` : '';
  const message = `The files of this ${direction} cannot be brought back. ${expiredSentence(tomb.reason, tomb.days)}${rest}`;
  throw new BridgeError(wanted.redoes === null ? 'nothing_to_undo' : 'nothing_to_redo', message, {
    data: { reason: 'expired', why: tomb.reason, days: tomb.days },
  });
};

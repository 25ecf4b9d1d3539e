/** Intents of a journal that no `settled` line closes. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { IntentEntry, JournalEntry } from '@skein/core/restore/journal-entry';

/** In the order in which they were begun. */
export const openIntents = (entries: readonly JournalEntry[]): readonly IntentEntry[] => {
  const settled = new Set(entries.flatMap((entry) => (entry.kind === 'settled' ? [entry.op] : [])));
  return entries.filter((entry): entry is IntentEntry => entry.kind === 'intent' && !settled.has(entry.op));
};

/** Fault `busy`: what a crash left is settled first. */
export const mustBeSettled = (entries: readonly JournalEntry[]): void => {
  const [open] = openIntents(entries);
  if (open === undefined) return;
  throw new BridgeError(
    'busy',
    'An interrupted restore of this session must be settled first: open it again.',
    {
      data: { holder: 'an interrupted restore', op: open.op },
    },
  );
};

/**
 * One strand's journal on disk. Its writer holds the strand's lease, so that there is one at a time; inside this
 * process appends of one strand wait for each other. An appended line is on disk when the call resolves.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import type { RecordId, StrandId } from '@skein/core/record/ids';
import { encodeJsonLine } from '@skein/core/record/json-line';
import type { JournalEntry } from '@skein/core/restore/journal-entry';
import { readFileIfThere } from '../platform/files.ts';
import { appendSynced } from '../platform/tree-files-append.ts';
import { journalFile, type StoreContext } from './deps.ts';
import { type JournalText, parseJournal, sealTail } from './journal-lines.ts';

type Body<E> = E extends JournalEntry ? Omit<E, 'id' | 'at'> : never;
export type JournalBody = Body<JournalEntry>;

/** An absent journal is an empty one. Fault `io`. */
export const readJournal = async (deps: StoreContext, strand: StrandId): Promise<JournalText> =>
  parseJournal((await readFileIfThere(journalFile(deps, strand))) ?? new Uint8Array());

/** Resolves after fdatasync. Fault `io`: none of the lines counts, or only a part of them from the first on. */
export const appendEntries = async (
  deps: StoreContext,
  strand: StrandId,
  bodies: readonly JournalBody[],
): Promise<void> => {
  if (bodies.length === 0) return;
  const envelope = (): { readonly id: RecordId; readonly at: string } => ({
    id: deps.newRecordId(),
    at: deps.clock.nowIso(),
  });
  const lines = Buffer.concat(bodies.map((body) => encodeJsonLine({ ...envelope(), ...body })));
  await deps.queue.run(`journal:${strand}`, () =>
    appendSynced(journalFile(deps, strand), lines, (tail) => sealTail(tail, envelope())),
  );
};

/** Fault `unreadable` when a damaged line may belong to one of these turns or operations. */
export const mustBeComplete = (journal: JournalText, ids: readonly string[]): void => {
  const bad = journal.bad.find(({ touches }) => ids.some((id) => touches.has(id)));
  if (bad === undefined) return;
  throw new BridgeError(
    'unreadable',
    `Files of this turn cannot be brought back: line ${bad.line} of its journal is damaged (${bad.reason}).`,
    { data: { line: bad.line, reason: bad.reason } },
  );
};

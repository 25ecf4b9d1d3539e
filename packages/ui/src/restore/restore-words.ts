/** What a restore will do to a file, in words. */
import type { ConflictChoice, ConflictReason, RestoreResult } from '@skein/core/protocol/restore';
import type { RestoreScope } from '@skein/core/record/schema';
import { plural } from '../format.ts';

type Action = RestoreResult['files'][number]['action'];

export const actionWords = (action: Action, direction: 'undo' | 'redo'): string =>
  direction === 'undo' ? UNDO_WORDS[action] : REDO_WORDS[action];

const UNDO_WORDS: Record<Action, string> = {
  write: 'goes back to what it was',
  create: 'comes back',
  delete: 'is deleted',
  merge: 'is merged with your edits',
  nothing: 'stays as it is',
};
const REDO_WORDS: Record<Action, string> = {
  ...UNDO_WORDS,
  write: 'changes again',
  create: 'is made again',
  delete: 'is deleted again',
};

type Direction = 'undo' | 'redo';

export const CHOICE_WORDS: Record<Direction, Record<ConflictChoice, string>> = {
  undo: { mine: 'Keep mine', before: 'As before the turn', markers: 'Both, with markers to edit' },
  redo: { mine: 'Keep mine', before: 'As before the undo', markers: 'Both, with markers to edit' },
};

/** Three columns of a conflict: on disk, what the turn or the undo left, and what would come back. */
export const VERSION_WORDS: Record<Direction, readonly [string, string, string]> = {
  undo: ['Yours, on disk now', 'As the turn left it', 'Before the turn'],
  redo: ['Yours, on disk now', 'As the undo left it', 'Before the undo'],
};

export const CONFLICT_WORDS: Record<ConflictReason, string> = {
  changed_since: 'It was changed since.',
  deleted_since: 'It was deleted since.',
  type_changed: 'It became another kind of file since.',
  created_since: 'Something is now where this file would come back.',
  folder_in_the_way: 'A folder is in its place.',
  link_in_the_way: 'A folder on the way became a link, which may lead outside.',
  unreadable: 'It cannot be read now.',
};

/** What the button says. */
export const applyWords = (
  direction: 'undo' | 'redo',
  preview: RestoreResult | null,
  scope: RestoreScope,
): string => {
  const verb = direction === 'undo' ? 'Undo' : 'Redo';
  const count = preview === null ? 0 : changedCount(preview);
  return scope === 'chat' || count === 0 ? verb : `${verb} ${plural(count, 'file')}`;
};

/** One sentence on files and conversation together. */
export const summaryWords = (preview: RestoreResult, direction: 'undo' | 'redo'): string => {
  const conflicts = preview.conflicts.length;
  if (conflicts > 0) {
    const are = conflicts === 1 ? 'is in conflict' : 'are in conflict';
    return `${plural(conflicts, 'file')} ${are} with what you did since, so nothing is written before you choose.`;
  }
  const back = direction === 'undo' ? 'You can redo it.' : 'You can undo it again.';
  return `${filesWords(preview)}; ${chatWords(preview, direction)}. ${back}`;
};

function filesWords(preview: RestoreResult): string {
  if (preview.scope === 'chat') return 'No file is touched';
  const count = changedCount(preview);
  return count === 0 ? 'No file has to change' : `${plural(count, 'file')} will change`;
}

function chatWords({ scope, turns }: RestoreResult, direction: 'undo' | 'redo'): string {
  if (scope === 'files') return 'the conversation stays as it is';
  const count = plural(turns.length, 'turn');
  const one = turns.length === 1;
  if (direction === 'redo') return `${count} ${one ? 'comes' : 'come'} back into the conversation`;
  return `${count} ${one ? 'leaves' : 'leave'} the conversation and your prompt returns to the composer`;
}

function changedCount({ files }: RestoreResult): number {
  return files.filter(({ action }) => action !== 'nothing').length;
}

/** An undo or redo in words: what came back, what stood in the way, what to do next. */
import type { ConflictReason, RestoreResult } from '@skein/core/protocol/restore';
import { showPath } from '@skein/core/record/path-ref';
import type { Output } from './output.ts';
import { block, line, type Printable } from './printable.ts';

type RestoredFile = RestoreResult['files'][number];

export const printRestore = (out: Output, result: RestoreResult, isDryRun: boolean): void => {
  out.print(headline(out, result, isDryRun));
  for (const file of result.files) printFile(out, file, isDryRun);
  for (const { path, reason, choices } of result.conflicts) {
    out.print(line`  ${out.style.red(line`conflict`)}  ${showPath(path)}: ${conflictWords(reason)}`);
    if (choices.length > 0)
      out.note(out.noteStyle.dim(line`            --choose ${showPath(path)}=${choices.join('|')}`));
  }
  for (const path of result.unattributed)
    out.print(
      line`  ${out.style.yellow(line`kept    `)}  ${showPath(path)}: changed meanwhile by something else; --path takes it back too`,
    );
  for (const { path, reason } of result.unrestored)
    out.print(line`  ${out.style.yellow(line`left    `)}  ${showPath(path)}: ${reason}`);
  if (result.notice !== undefined) out.note(out.noteStyle.yellow(line`${result.notice}`));
  if (result.applied) printAfter(out, result);
  else printBefore(out, result, isDryRun);
};

/** A dry run names the hunks, so that they can be chosen. */
const printFile = (out: Output, file: RestoredFile, isDryRun: boolean): void => {
  if (file.action === 'nothing') return;
  const later =
    file.laterTurns.length === 0 ? '' : `  (also changed by ${file.laterTurns.length} later turn(s))`;
  out.print(line`  ${wordFor(file.action).padEnd(8)}  ${showPath(file.path)}${later}`);
  if (!isDryRun || file.hunks.length < 2) return;
  for (const { id, nowStart, nowLines, thenLines } of file.hunks)
    out.print(out.style.dim(line`            line ${nowStart}: -${nowLines} +${thenLines}  --hunk ${id}`));
};

const headline = (out: Output, result: RestoreResult, isDryRun: boolean): Printable => {
  const what = `${result.direction} of ${turnsIn(result)} (${scopeWords(result.scope)})`;
  if (result.applied) return line`${out.style.green(line`✓`)} ${what}`;
  if (result.conflicts.length > 0)
    return out.style.red(line`Nothing was written: ${what} would overwrite other changes.`);
  return isDryRun ? line`${what} would do this:` : line`Nothing was written: ${what} has nothing to do.`;
};

const printAfter = (out: Output, { direction, draft }: RestoreResult): void => {
  if (draft !== undefined && draft !== '') {
    out.note(out.noteStyle.dim(line`The prompt, to send again:`));
    out.note(block(draft.replace(/^/gm, '  ')));
  }
  if (direction === 'undo') out.note(out.noteStyle.dim(line`Bring it back: skein redo`));
};

const printBefore = (out: Output, { conflicts, direction, plan }: RestoreResult, isDryRun: boolean): void => {
  if (conflicts.length > 0)
    out.note(
      line`Choose for each path and run it again with --choose, or see the versions side by side: skein open`,
    );
  else if (isDryRun) out.note(out.noteStyle.dim(line`Do exactly this: skein ${direction} --plan ${plan}`));
};

const turnsIn = ({ turns }: RestoreResult): string =>
  turns.length === 1 ? `turn ${turns[0] ?? ''}` : `${turns.length} turns`;

const scopeWords = (scope: RestoreResult['scope']): string => {
  switch (scope) {
    case 'files':
      return 'files';
    case 'chat':
      return 'conversation';
    case 'both':
      return 'files and conversation';
  }
};

const wordFor = (action: RestoredFile['action']): string => {
  switch (action) {
    case 'write':
      return 'restored';
    case 'create':
      return 'created';
    case 'delete':
      return 'deleted';
    case 'merge':
      return 'merged';
    case 'nothing':
      return 'same';
  }
};

const conflictWords = (reason: ConflictReason): string => {
  switch (reason) {
    case 'changed_since':
      return 'changed since';
    case 'deleted_since':
      return 'deleted since';
    case 'type_changed':
      return 'became something other than a file';
    case 'created_since':
      return 'something new is in its place';
    case 'folder_in_the_way':
      return 'a folder is in its place';
    case 'link_in_the_way':
      return 'a folder above it became a link';
    case 'unreadable':
      return 'cannot be read';
  }
};

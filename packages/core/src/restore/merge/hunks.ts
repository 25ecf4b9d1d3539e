/** The stretches of lines in which two texts differ, by name, so that a person can choose among them. */
import type { RestoreHunk } from '../../protocol/restore.ts';
import { crc32Hex } from '../../record/crc32.ts';
import { type PathRef, pathKey } from '../../record/path-ref.ts';
import { encodeUtf8 } from '../../text/utf8.ts';
import { type Edit, editScript } from './edit-script.ts';
import { linesOf } from './lines.ts';

/** Null when the texts are too different to be cut into pieces. */
export const hunksOf = (path: PathRef, now: string, then: string): readonly RestoreHunk[] | null => {
  const [a, b] = [linesOf(now), linesOf(then)];
  const edits = editScript(a, b, 'late');
  return (
    edits?.map((edit) => ({
      id: idOf(pathKey(path), { edit, a, b }),
      nowStart: edit.from + 1,
      nowLines: edit.fromCount,
      thenStart: edit.to + 1,
      thenLines: edit.toCount,
    })) ?? null
  );
};

/** `now` with the chosen stretches as in `then`; ids that are not among them are left to the caller. */
export const applyHunks = (
  texts: { readonly now: string; readonly then: string },
  hunks: readonly RestoreHunk[],
  chosen: ReadonlySet<string>,
): string => {
  const [a, b] = [linesOf(texts.now), linesOf(texts.then)];
  const parts: string[] = [];
  let done = 0;
  for (const { id, nowStart, nowLines, thenStart, thenLines } of hunks) {
    if (!chosen.has(id)) continue;
    parts.push(...a.slice(done, nowStart - 1), ...b.slice(thenStart - 1, thenStart - 1 + thenLines));
    done = nowStart - 1 + nowLines;
  }
  parts.push(...a.slice(done));
  return joinLines(parts);
};

/** A line without an end that is no longer the last one gets one: two lines never become one. */
function joinLines(lines: readonly string[]): string {
  return lines
    .map((line, at) => (at < lines.length - 1 && !line.endsWith('\n') ? `${line}\n` : line))
    .join('');
}

function idOf(
  key: string,
  { edit, a, b }: { readonly edit: Edit; readonly a: readonly string[]; readonly b: readonly string[] },
): string {
  const { from, fromCount, to, toCount } = edit;
  const texts = [key, ...a.slice(from, from + fromCount), '\0', ...b.slice(to, to + toCount)].join('');
  return `${from + 1}-${fromCount}.${to + 1}-${toCount}.${crc32Hex(encodeUtf8(texts))}`;
}

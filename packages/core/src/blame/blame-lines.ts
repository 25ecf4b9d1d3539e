/**
 * Who wrote which line of a text, from its versions in order of time. `null` is the user, or anybody outside of a
 * turn: what no version explains is theirs.
 */
import { editScript } from '../restore/merge/edit-script.ts';

export interface BlameVersion<By> {
  readonly by: By | null;
  readonly lines: readonly string[];
}

/**
 * One answer per line of the last version. A version that equals an earlier one (an undo, a checkout) has its writers.
 * Texts too different to be compared count as written anew.
 */
export const blameLines = <By>(versions: readonly BlameVersion<By>[]): readonly (By | null)[] => {
  const seen = new Map<string, readonly (By | null)[]>();
  let lines: readonly string[] = [];
  let writers: readonly (By | null)[] = [];
  for (const version of versions) {
    const text = version.lines.join('');
    writers = seen.get(text) ?? step(lines, writers, version);
    lines = version.lines;
    seen.set(text, writers);
  }
  return writers;
};

function step<By>(
  before: readonly string[],
  writers: readonly (By | null)[],
  { by, lines }: BlameVersion<By>,
): readonly (By | null)[] {
  const edits = editScript(before, lines, 'early');
  if (edits === null) return lines.map(() => by);
  const next: (By | null)[] = [];
  let from = 0;
  for (const edit of edits) {
    next.push(...writers.slice(from, edit.from));
    for (let line = 0; line < edit.toCount; line += 1) next.push(by);
    from = edit.from + edit.fromCount;
  }
  return [...next, ...writers.slice(from)];
}

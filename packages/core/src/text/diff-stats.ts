/**
 * How many lines a change added and removed, as `git diff --numstat` counts: a line that lost its newline
 * has changed. Only the numbers, from the length of the shortest edit (Myers 1986, the greedy algorithm).
 */
export interface DiffStats {
  readonly added: number;
  readonly removed: number;
}

const MAX_CHARS = 8_000_000;
/** The work grows with the square of this. */
const MAX_EDITS = 3000;

/** Null when the texts are too long or too different to be compared cheaply. */
export const diffStats = (before: string, after: string): DiffStats | null => {
  if (before.length + after.length > MAX_CHARS) return null;
  const [a, b] = differingMiddle(linesOf(before), linesOf(after));
  if (a.length === 0 || b.length === 0) return { added: b.length, removed: a.length };
  const edits = editDistance(a, b);
  if (edits === null) return null;
  const removed = (edits + a.length - b.length) / 2;
  return { added: edits - removed, removed };
};

/** Lines of a text; a last line without newline counts. */
export const countLines = (text: string): number => {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return text === '' || text.endsWith('\n') ? lines : lines + 1;
};

/** The newline belongs to its line. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function differingMiddle(a: readonly string[], b: readonly string[]): [readonly string[], readonly string[]] {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** Insertions plus deletions of the shortest edit, or null when there are more than MAX_EDITS. */
function editDistance(a: readonly string[], b: readonly string[]): number | null {
  const max = Math.min(a.length + b.length, MAX_EDITS);
  // At k + max + 1: how far into `a` the best edit so far gets on diagonal k.
  const furthest = new Int32Array(2 * max + 3);
  for (let edits = 0; edits <= max; edits += 1) {
    for (let k = -edits; k <= edits; k += 2) {
      const left = furthest[k + max] ?? 0;
      const right = furthest[k + max + 2] ?? 0;
      const isInsertion = k === -edits || (k !== edits && left < right);
      const x = runOfEqualLines(a, b, { x: isInsertion ? right : left + 1, k });
      furthest[k + max + 1] = x;
      if (x >= a.length && x - k >= b.length) return edits;
    }
  }
  return null;
}

/** Where the equal lines end that begin at line `x` of `a` and line `x - k` of `b`. */
function runOfEqualLines(
  a: readonly string[],
  b: readonly string[],
  from: { readonly x: number; readonly k: number },
): number {
  let x = from.x;
  while (x < a.length && x - from.k < b.length && a[x] === b[x - from.k]) x += 1;
  return x;
}

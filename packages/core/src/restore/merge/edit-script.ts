/**
 * Which lines one text has instead of another's, by the shortest edit (Myers' greedy algorithm). Where several shortest
 * edits exist, `early` and `late` are the two extremes: what follows from both of them follows from the alignment being
 * right, not from chance.
 */

/** Lines `[from, from + fromCount)` of the first text stand as `[to, to + toCount)` in the second; 0-based. */
export interface Edit {
  readonly from: number;
  readonly fromCount: number;
  readonly to: number;
  readonly toCount: number;
}

/** More lines than this removed and added are not aligned: time and memory grow with the square. */
const MAX_EDITS = 2000;

/** In order of place; null when the texts are too different. */
export const editScript = (
  a: readonly string[],
  b: readonly string[],
  which: 'early' | 'late',
): readonly Edit[] | null => {
  if (which === 'early') return joined(alignment(a, b));
  const mirrored = alignment(a.toReversed(), b.toReversed());
  if (mirrored === null) return null;
  const edits = mirrored.toReversed().map((edit) => ({
    ...edit,
    from: a.length - edit.from - edit.fromCount,
    to: b.length - edit.to - edit.toCount,
  }));
  return joined(edits);
};

/** Edits that meet are one. */
function joined(edits: readonly Edit[] | null): readonly Edit[] | null {
  if (edits === null) return null;
  const result: Edit[] = [];
  for (const edit of edits) {
    const last = result.at(-1);
    if (last === undefined || last.from + last.fromCount < edit.from || last.to + last.toCount < edit.to) {
      result.push(edit);
      continue;
    }
    const [fromCount, toCount] = [last.fromCount + edit.fromCount, last.toCount + edit.toCount];
    result[result.length - 1] = { ...last, fromCount, toCount };
  }
  return result;
}

function alignment(a: readonly string[], b: readonly string[]): readonly Edit[] | null {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA -= 1;
    endB -= 1;
  }
  const found = shortest(a.slice(start, endA), b.slice(start, endB));
  return found?.map((edit) => ({ ...edit, from: edit.from + start, to: edit.to + start })) ?? null;
}

/** One edit a step, in order. */
function shortest(a: readonly string[], b: readonly string[]): readonly Edit[] | null {
  const most = Math.min(MAX_EDITS, a.length + b.length);
  const reach = new Int32Array(2 * most + 3);
  const origin = most + 1;
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    trace.push(reach.slice(origin - edits - 1, origin + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepX(reach, origin + diagonal, { diagonal, edits });
      let y = x - diagonal;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x += 1;
        y += 1;
      }
      reach[origin + diagonal] = x;
      if (x >= a.length && y >= b.length) return walkBack(trace, a.length, b.length);
    }
  }
  return null;
}

interface At {
  readonly diagonal: number;
  readonly edits: number;
}

/** The furthest start of a step on a diagonal: one line added, or one removed. */
function stepX(reach: Int32Array, at: number, { diagonal, edits }: At): number {
  if (edits === 0) return 0;
  const [below, above] = [reach[at - 1] ?? 0, reach[at + 1] ?? 0];
  return diagonal === -edits || (diagonal !== edits && below < above) ? above : below + 1;
}

function walkBack(trace: readonly Int32Array[], lengthA: number, lengthB: number): readonly Edit[] {
  const edits: Edit[] = [];
  let [x, y] = [lengthA, lengthB];
  for (let step = trace.length - 1; step > 0; step -= 1) {
    const reach = trace[step];
    if (reach === undefined) break;
    const diagonal = x - y;
    const at = diagonal + step + 1;
    const [below, above] = [reach[at - 1] ?? 0, reach[at + 1] ?? 0];
    const isAdded = diagonal === -step || (diagonal !== step && below < above);
    const fromX = isAdded ? above : below;
    const fromY = fromX - (isAdded ? diagonal + 1 : diagonal - 1);
    edits.push(
      isAdded
        ? { from: fromX, fromCount: 0, to: fromY, toCount: 1 }
        : { from: fromX, fromCount: 1, to: fromY, toCount: 0 },
    );
    [x, y] = [fromX, fromY];
  }
  return edits.toReversed();
}

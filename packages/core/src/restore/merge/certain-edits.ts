/**
 * The edits that every shortest edit script of two texts agrees on: lines count as kept only when each of them keeps
 * them in the same place. What lies between is one edit, however the lines in it are aligned; so nothing that follows
 * from these rests on chance.
 */
import { type Edit, editScript } from './edit-script.ts';

/** Larger tables take too long. */
const MAX_CELLS = 6_000_000;

type Lines = readonly string[];

/** In order of place; null when the texts are too large or too different. */
export const certainEdits = (a: Lines, b: Lines): readonly Edit[] | null => {
  const script = editScript(a, b, 'early');
  if (script === null) return null;
  const distance = script.reduce((sum, { fromCount, toCount }) => sum + fromCount + toCount, 0);
  if (distance === 0) return [];
  if ((a.length + 1) * (2 * distance + 1) > MAX_CELLS) return null;
  return between(keptByAll({ a, b, distance }), a.length, b.length);
};

interface Texts {
  readonly a: Lines;
  readonly b: Lines;
  readonly distance: number;
}

/** For each line of `a` the line of `b` it is in every shortest script, or -1. */
function keptByAll({ a, b, distance }: Texts): Int32Array {
  const forward = costs({ a, b, distance });
  const backward = costs({ a: a.toReversed(), b: b.toReversed(), distance });
  const width = 2 * distance + 1;
  const ahead = (x: number, y: number): number => at(forward, width, { x, offset: y - x + distance });
  const behind = (x: number, y: number): number => {
    const [backX, backY] = [a.length - x, b.length - y];
    return at(backward, width, { x: backX, offset: backY - backX + distance });
  };
  const kept = new Int32Array(a.length).fill(-1);
  for (let x = 0; x < a.length; x += 1) {
    let [matches, where, isDropped] = [0, -1, false];
    for (let y = Math.max(0, x - distance); y <= Math.min(b.length, x + distance); y += 1) {
      if (y < b.length && a[x] === b[y] && ahead(x, y) + behind(x + 1, y + 1) === distance) {
        matches += 1;
        where = y;
      }
      if (ahead(x, y) + 1 + behind(x + 1, y) === distance) isDropped = true;
    }
    if (matches === 1 && !isDropped) kept[x] = where;
  }
  return kept;
}

const FAR = 1_000_000;

/** Edits from the start to each place, in a band of diagonals; FAR outside of it. */
function costs({ a, b, distance }: Texts): Int32Array {
  const width = 2 * distance + 1;
  const table = new Int32Array((a.length + 1) * width).fill(FAR);
  for (let x = 0; x <= a.length; x += 1) {
    for (let y = Math.max(0, x - distance); y <= Math.min(b.length, x + distance); y += 1) {
      const offset = y - x + distance;
      const same = x > 0 && y > 0 && a[x - 1] === b[y - 1];
      table[x * width + offset] = Math.min(
        x === 0 && y === 0 ? 0 : FAR,
        at(table, width, { x: x - 1, offset: offset + 1 }) + 1,
        at(table, width, { x, offset: offset - 1 }) + 1,
        same ? at(table, width, { x: x - 1, offset }) : FAR,
      );
    }
  }
  return table;
}

function at(
  table: Int32Array,
  width: number,
  { x, offset }: { readonly x: number; readonly offset: number },
): number {
  return x < 0 || offset < 0 || offset >= width ? FAR : (table[x * width + offset] ?? FAR);
}

function between(kept: Int32Array, lengthA: number, lengthB: number): readonly Edit[] {
  const edits: Edit[] = [];
  let [from, to] = [0, 0];
  const close = (untilA: number, untilB: number): void => {
    if (untilA > from || untilB > to)
      edits.push({ from, fromCount: untilA - from, to, toCount: untilB - to });
  };
  for (const [x, y] of kept.entries()) {
    if (y < 0) continue;
    close(x, y);
    [from, to] = [x + 1, y + 1];
  }
  close(lengthA, lengthB);
  return edits;
}

/**
 * Two texts as the hunks of a unified diff, with line numbers on both sides and the changed words of
 * replaced lines. Pure; large or hostile inputs end in a plain answer instead of a long wait.
 */
import { diffWordsWithSpace, structuredPatch } from 'diff';

export interface DiffLine {
  readonly kind: 'same' | 'add' | 'del';
  /** 1-based; null on the side where the line is not. */
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly text: string;
  /** Stretches of the text that changed, when a line replaces one; `[start, end)`. */
  readonly marks: readonly (readonly [start: number, end: number])[];
  /** The file ends here without a line feed. */
  readonly noNewline: boolean;
}

export interface Hunk {
  readonly id: string;
  readonly header: string;
  /** Unchanged lines of the file between the hunk before and this one. */
  readonly skipped: number;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly hunks: readonly Hunk[];
  readonly added: number;
  readonly removed: number;
  /** The comparison took too long: everything is shown as replaced, or only counted. */
  readonly coarse: boolean;
}

const TIMEOUT_MS = 80;
const MAX_COARSE_LINES = 2000;
const MAX_WORD_LINE = 600;

/** Null is an absent file. */
export const diffTexts = (before: string | null, after: string | null, context = 3): FileDiff => {
  const patch = structuredPatch('a', 'b', before ?? '', after ?? '', undefined, undefined, {
    context,
    timeout: TIMEOUT_MS,
    maxEditLength: 20_000,
  });
  if (patch === undefined) return coarseDiff(before ?? '', after ?? '');
  let last = 0;
  const hunks = patch.hunks.map((hunk, index) => {
    const skipped = Math.max(0, hunk.oldStart - 1 - last);
    last = hunk.oldStart - 1 + hunk.oldLines;
    const header = `@@ −${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
    return { id: `h${index + 1}`, header, skipped, lines: markWords(numberLines(hunk)) };
  });
  return { hunks, ...countLines(hunks), coarse: false };
};

/** Two pieces of a file, whole lines or not: whether they end with a line feed says nothing. */
export const diffSnippets = (before: string | null, after: string | null): FileDiff =>
  diffTexts(withLineFeed(before), withLineFeed(after));

function withLineFeed(text: string | null): string | null {
  return text === null || text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

interface RawHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

const KINDS: Record<string, DiffLine['kind']> = { '+': 'add', '-': 'del' };

function numberLines({ oldStart, newStart, lines }: RawHunk): readonly DiffLine[] {
  const numbered: DiffLine[] = [];
  let oldLine = oldStart;
  let newLine = newStart;
  for (const raw of lines) {
    const last = numbered.at(-1);
    if (raw.startsWith('\\') && last !== undefined) {
      numbered.splice(-1, 1, { ...last, noNewline: true });
      continue;
    }
    const kind = KINDS[raw.charAt(0)] ?? 'same';
    const place = { oldLine: kind === 'add' ? null : oldLine, newLine: kind === 'del' ? null : newLine };
    numbered.push({ kind, ...place, text: raw.slice(1).replace(/\r$/, '␍'), marks: [], noNewline: false });
    if (kind !== 'add') oldLine += 1;
    if (kind !== 'del') newLine += 1;
  }
  return numbered;
}

/** Marks words where n removed lines are followed by n added ones, line by line. */
function markWords(lines: readonly DiffLine[]): readonly DiffLine[] {
  const marked = [...lines];
  for (let start = 0; start < marked.length; ) {
    const removed = runLength(marked, start, 'del');
    const added = runLength(marked, start + removed, 'add');
    if (removed > 0 && removed === added && removed <= 40) {
      for (let offset = 0; offset < removed; offset += 1)
        markPair(marked, start + offset, start + removed + offset);
    }
    start += Math.max(1, removed + added);
  }
  return marked;
}

function runLength(lines: readonly DiffLine[], start: number, kind: DiffLine['kind']): number {
  let length = 0;
  while (lines[start + length]?.kind === kind) length += 1;
  return length;
}

function markPair(lines: DiffLine[], oldIndex: number, newIndex: number): void {
  const before = lines[oldIndex];
  const after = lines[newIndex];
  if (before === undefined || after === undefined) return;
  if (before.text.length > MAX_WORD_LINE || after.text.length > MAX_WORD_LINE) return;
  const oldMarks: [number, number][] = [];
  const newMarks: [number, number][] = [];
  let oldAt = 0;
  let newAt = 0;
  let same = 0;
  for (const { value, added, removed } of diffWordsWithSpace(before.text, after.text)) {
    if (removed) oldMarks.push([oldAt, oldAt + value.length]);
    else if (added) newMarks.push([newAt, newAt + value.length]);
    else same += value.trim().length;
    if (!added) oldAt += value.length;
    if (!removed) newAt += value.length;
  }
  // Two lines that share next to nothing are not one line that changed.
  if (same * 3 < Math.max(before.text.trim().length, after.text.trim().length)) return;
  lines[oldIndex] = { ...before, marks: oldMarks };
  lines[newIndex] = { ...after, marks: newMarks };
}

function countLines(hunks: readonly Hunk[]): { readonly added: number; readonly removed: number } {
  let added = 0;
  let removed = 0;
  for (const { lines } of hunks) {
    for (const { kind } of lines) {
      if (kind === 'add') added += 1;
      if (kind === 'del') removed += 1;
    }
  }
  return { added, removed };
}

/** Everything old is removed and everything new is added; cut where nobody reads on. */
function coarseDiff(before: string, after: string): FileDiff {
  const olds = splitLines(before);
  const news = splitLines(after);
  const empty = { marks: [], noNewline: false };
  const lines: DiffLine[] = [
    ...olds
      .slice(0, MAX_COARSE_LINES)
      .map((text, index) => ({ kind: 'del' as const, oldLine: index + 1, newLine: null, text, ...empty })),
    ...news
      .slice(0, MAX_COARSE_LINES)
      .map((text, index) => ({ kind: 'add' as const, oldLine: null, newLine: index + 1, text, ...empty })),
  ];
  const header = `@@ −1,${olds.length} +1,${news.length} @@`;
  return {
    hunks: [{ id: 'h1', header, skipped: 0, lines }],
    added: news.length,
    removed: olds.length,
    coarse: true,
  };
}

function splitLines(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

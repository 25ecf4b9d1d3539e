/**
 * Three-way merge of texts: what the user changed since (`base` to `ours`) together with what is to come back (`base` to
 * `theirs`). Clean only where both stand apart, and where every alignment of the lines says the same; else a conflict.
 * Never another answer than `git merge-file` gives.
 */
import { certainEdits } from './certain-edits.ts';
import { type Edit, editScript } from './edit-script.ts';
import { type LineEnds, lineEndsOf, linesOf, toLf, withLineEnds } from './lines.ts';

export interface MergeInput {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  /** Written behind the markers. */
  readonly labels?: MergeLabels | undefined;
}

export interface MergeLabels {
  readonly ours: string;
  readonly base: string;
  readonly theirs: string;
}

export type MergeOutcome =
  | { readonly kind: 'clean'; readonly text: string }
  | {
      readonly kind: 'conflict';
      /** `ambiguous`: two alignments of repeated lines give different results. */
      readonly reason: 'overlap' | 'ambiguous' | 'too_large';
      /** Everything that merges, with markers around the rest; null when the texts are too different. */
      readonly markers: string | null;
    };

const LABELS: MergeLabels = { ours: 'yours', base: 'as the turn left it', theirs: 'before the turn' };

export const mergeText = ({ base, ours, theirs, labels = LABELS }: MergeInput): MergeOutcome => {
  const ends = commonEnds(base, ours, theirs);
  const texts = ends === null ? [base, ours, theirs] : [base, ours, theirs].map(toLf);
  const outcome = mergeLines(texts.map(linesOf), labels);
  const put = (text: string): string => (ends === null ? text : withLineEnds(text, ends));
  if (outcome.kind === 'clean') return { kind: 'clean', text: put(outcome.text) };
  return { ...outcome, markers: outcome.markers === null ? null : put(outcome.markers) };
};

/** What to put back when every text has one kind of line end; null leaves all bytes as they are. */
function commonEnds(...texts: readonly [string, string, string]): LineEnds | null {
  if (texts.some((text) => lineEndsOf(text) === 'mixed')) return null;
  const [, ours] = texts;
  const kinds = new Set(texts.map(lineEndsOf).filter((ends) => ends !== 'none'));
  const own = lineEndsOf(ours);
  if (own !== 'none') return own;
  // A file without line ends has no style of its own to keep.
  return kinds.size === 1 ? ([...kinds][0] ?? null) : null;
}

type Lines = readonly string[];

function mergeLines(
  [base = [], ours = [], theirs = []]: readonly Lines[],
  labels: MergeLabels,
): MergeOutcome {
  const [mine, other] = [certainEdits(base, ours), certainEdits(base, theirs)];
  if (mine === null || other === null) return { kind: 'conflict', reason: 'too_large', markers: null };
  const merged = weave({ base, ours, theirs, mine, other }, labels);
  if (merged.conflicts === 0) return { kind: 'clean', text: merged.text };
  // One alignment among several may have no conflict: then it is the choice between them that is the problem.
  const [mineOnce, otherOnce] = [editScript(base, ours, 'early'), editScript(base, theirs, 'early')];
  const once =
    mineOnce === null || otherOnce === null
      ? merged
      : weave({ base, ours, theirs, mine: mineOnce, other: otherOnce }, labels);
  return { kind: 'conflict', reason: once.conflicts === 0 ? 'ambiguous' : 'overlap', markers: merged.text };
}

interface Weave {
  readonly base: Lines;
  readonly ours: Lines;
  readonly theirs: Lines;
  readonly mine: readonly Edit[];
  readonly other: readonly Edit[];
}

interface Merged {
  readonly text: string;
  readonly conflicts: number;
}

function weave({ base, ours, theirs, mine, other }: Weave, labels: MergeLabels): Merged {
  const parts: string[] = [];
  let conflicts = 0;
  let done = 0;
  for (const group of groupsOf(mine, other)) {
    parts.push(...base.slice(done, group.start));
    const mineText = sideOf(ours, group, group.mine);
    const otherText = sideOf(theirs, group, group.other);
    if (group.other.length === 0) parts.push(...mineText);
    else if (group.mine.length === 0 || isSame(group, mineText, otherText)) parts.push(...otherText);
    else {
      conflicts += 1;
      parts.push(
        ...marked({ ours: mineText, base: base.slice(group.start, group.end), theirs: otherText }, labels),
      );
    }
    done = group.end;
  }
  parts.push(...base.slice(done));
  return { text: parts.join(''), conflicts };
}

/** Lines `[start, end)` of the base, and the edits of either side that touch each other there. */
interface Group {
  readonly start: number;
  readonly end: number;
  readonly mine: readonly Edit[];
  readonly other: readonly Edit[];
}

/** Edits that only meet at a line's edge belong together too, as git has it. */
function groupsOf(mine: readonly Edit[], other: readonly Edit[]): readonly Group[] {
  const all = [
    ...mine.map((edit) => ({ edit, isMine: true })),
    ...other.map((edit) => ({ edit, isMine: false })),
  ].toSorted((a, b) => a.edit.from - b.edit.from || a.edit.fromCount - b.edit.fromCount);
  const groups: { start: number; end: number; mine: Edit[]; other: Edit[] }[] = [];
  for (const { edit, isMine } of all) {
    let group = groups.at(-1);
    if (group === undefined || edit.from > group.end) {
      group = { start: edit.from, end: edit.from, mine: [], other: [] };
      groups.push(group);
    }
    group.end = Math.max(group.end, edit.from + edit.fromCount);
    (isMine ? group.mine : group.other).push(edit);
  }
  return groups;
}

/** What a side has instead of the group's lines of the base. */
function sideOf(lines: Lines, { start, end }: Group, edits: readonly Edit[]): Lines {
  const [first, last] = [edits.at(0), edits.at(-1)];
  if (first === undefined || last === undefined) return [];
  const from = first.to - (first.from - start);
  const until = last.to + last.toCount + (end - last.from - last.fromCount);
  return lines.slice(from, until);
}

/** Both sides made the very same edit. */
function isSame({ mine, other }: Group, a: Lines, b: Lines): boolean {
  const [one, two] = [mine[0], other[0]];
  if (mine.length !== 1 || other.length !== 1 || one === undefined || two === undefined) return false;
  if (one.from !== two.from || one.fromCount !== two.fromCount) return false;
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

interface Sides {
  readonly ours: Lines;
  readonly base: Lines;
  readonly theirs: Lines;
}

function marked({ ours, base, theirs }: Sides, labels: MergeLabels): Lines {
  return [
    `<<<<<<< ${labels.ours}\n`,
    ...ended(ours),
    `||||||| ${labels.base}\n`,
    ...ended(base),
    '=======\n',
    ...ended(theirs),
    `>>>>>>> ${labels.theirs}\n`,
  ];
}

/** A marker needs a line of its own. */
function ended(lines: Lines): Lines {
  const last = lines.at(-1);
  return last === undefined || last.endsWith('\n') ? lines : [...lines.slice(0, -1), `${last}\n`];
}

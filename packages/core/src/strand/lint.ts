/** What is wrong in a strand file, line by line: `skein lint`. Reading such a file works all the same. */
import type { TurnId } from '../record/ids.ts';
import type { RecordOf, StrandRecord } from '../record/schema.ts';
import { type PairedCall, pairCalls } from './pair-calls.ts';
import { applyLine, emptyStrand } from './replay.ts';
import type { StrandLine, StrandState } from './state.ts';

export interface LintProblem {
  /** 1-based line number; 0 for the file as a whole. */
  readonly line: number;
  readonly problem: string;
}

export interface LintReport {
  readonly ok: boolean;
  readonly records: number;
  /** By line number. */
  readonly problems: readonly LintProblem[];
}

export interface LintOptions {
  /** A turn runs now: that it is open is no problem. */
  readonly turnRunning?: boolean | undefined;
}

/** Everything about a file that a careful reader would object to, with line numbers; for `skein lint`. */
export const lintStrand = (lines: Iterable<StrandLine>, options: LintOptions = {}): LintReport => {
  const problems: LintProblem[] = [];
  let state = emptyStrand();
  for (const line of lines) {
    if (line.decoded.kind === 'ok') problems.push(...problemsOf(state, line.seq, line.decoded.record));
    state = applyLine(state, line);
  }
  problems.push(...headerProblems(state), ...badLineProblems(state), ...gapProblems(state));
  problems.push(...turnProblems(state, options));
  problems.sort((a, b) => a.line - b.line);
  return { ok: problems.length === 0, records: state.nodes.size, problems };
};

/** What one record says that the lines before it contradict. */
function problemsOf(state: StrandState, seq: number, record: StrandRecord): readonly LintProblem[] {
  const found: string[] = [];
  if (record.kind !== 'header' && (record.parent === null || !state.nodes.has(record.parent))) {
    found.push(`parent ${record.parent ?? 'null'} is not an earlier record`);
  }
  if (record.kind === 'header' && record.parent !== null) found.push('a header has no parent');
  found.push(...referenceProblems(state, record));
  return found.map((problem) => ({ line: seq, problem }));
}

function referenceProblems(state: StrandState, record: StrandRecord): readonly string[] {
  switch (record.kind) {
    case 'tip':
    case 'restore':
      return record.to === undefined || state.nodes.has(record.to)
        ? []
        : [`moves the tip to ${record.to}, which is not an earlier record`];
    case 'turn':
      return settlementProblems(state, record.prompt);
    case 'recovery':
      return recoveryProblems(state, record);
    default:
      return [];
  }
}

function settlementProblems(state: StrandState, turn: TurnId): readonly string[] {
  if (state.nodes.get(turn)?.prompt !== turn) return [`settles ${turn}, which is no earlier prompt`];
  return state.turnRecords.has(turn) ? [`settles ${turn} a second time`] : [];
}

function recoveryProblems(state: StrandState, { line, torn }: RecordOf<'recovery'>): readonly string[] {
  if (torn !== undefined) {
    return state.bad.at(-1)?.seq === state.seq ? [] : ['seals a torn line, but the line before is whole'];
  }
  const isBad = line === undefined || state.bad.some(({ seq }) => seq === line);
  return isBad ? [] : [`accepts line ${line}, which is not bad`];
}

function headerProblems(state: StrandState): readonly LintProblem[] {
  if (state.seq === 0) return [{ line: 0, problem: 'the file is empty' }];
  return state.unreadable ? [{ line: 1, problem: 'not a whole header' }] : [];
}

function badLineProblems(state: StrandState): readonly LintProblem[] {
  return state.bad
    .filter(({ accepted }) => accepted === null)
    .map(({ seq, kind, reason }) => ({ line: seq, problem: `${kind} line: ${reason}` }));
}

function gapProblems(state: StrandState): readonly LintProblem[] {
  return state.gaps
    .filter(({ reason }) => reason === 'parent_not_tip')
    .map(({ seq, parent, tip }) => ({ line: seq, problem: `parent ${parent} is not the tip ${tip}` }));
}

function turnProblems(state: StrandState, { turnRunning }: LintOptions): readonly LintProblem[] {
  const running = turnRunning === true ? state.openTurn : null;
  const records = [...state.nodes.values()].flatMap(({ record }) => (record === null ? [] : [record]));
  const unanswered = pairCalls(records)
    .filter(({ result, from }) => result === null && state.nodes.get(from)?.prompt !== running)
    .map((pair) => ({ line: seqOf(state, pair), problem: `call ${pair.call.call} has no result` }));
  if (state.openTurn === null || running !== null) return unanswered;
  const line = state.nodes.get(state.openTurn)?.seq ?? 0;
  return [...unanswered, { line, problem: 'the turn of this prompt was never settled' }];
}

function seqOf(state: StrandState, { from }: PairedCall): number {
  return state.nodes.get(from)?.seq ?? 0;
}

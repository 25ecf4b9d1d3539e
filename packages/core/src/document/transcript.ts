/**
 * From a folded strand to the blocks of its transcript, in file order. Nothing that lies in the file is
 * hidden: turns that were undone or left behind stay, flagged; what cannot be read or understood is a line.
 */
import type { RecordId, TurnId } from '../record/ids.ts';
import type { RecordOf } from '../record/schema.ts';
import { isPrompt } from '../strand/prompts.ts';
import type { RestoreOperation, StrandNode, StrandState } from '../strand/state.ts';
import type { LineItem, LinesBlock, TranscriptBlock } from './blocks.ts';
import { badLine, gapLine, recordLine } from './line-words.ts';
import type { LiveTurn } from './live-turn.ts';
import { liveView, type TurnGroup, turnBlock } from './turn-block.ts';
import { sameList, type TurnEntry } from './turn-items.ts';

export interface TranscriptOptions {
  /** The blocks of the last call: those that did not change are given back as they are. */
  readonly previous?: readonly TranscriptBlock[] | undefined;
  /** Turns of the whole path, for numbers in a window that starts in the middle of a strand. */
  readonly turnsOnPath?: number | undefined;
  /** Whether the newest turn without an end runs now; by default it does when something streams. */
  readonly running?: boolean | undefined;
}

export const transcriptOf = (
  state: StrandState,
  live: LiveTurn | null,
  options: TranscriptOptions = {},
): readonly TranscriptBlock[] => {
  const known = new Map((options.previous ?? []).map((block) => [block.id, block]));
  const context = {
    state,
    live,
    known,
    onPath: promptsOnPath(state),
    undoneBy: undoneTurns(state),
    numberOffset: numberOffset(state, options.turnsOnPath),
    runningTurn: (options.running ?? live !== null) ? (live?.turn ?? state.openTurn) : null,
  };
  return groupsOf(state).map((group) =>
    group.kind === 'turn' ? turnBlock(group, context) : linesBlock(group, known.get(group.id)),
  );
};

/** The same blocks with what streams now: what an animation frame costs, however long the transcript is. */
export const withLive = (
  blocks: readonly TranscriptBlock[],
  live: LiveTurn | null,
): readonly TranscriptBlock[] => {
  const index = blocks.findLastIndex(
    (block) => block.kind === 'turn' && (live === null ? block.live !== null : block.turn === live.turn),
  );
  const block = blocks[index];
  if (block?.kind !== 'turn') return blocks;
  return blocks.with(index, { ...block, live: liveView(live, block.items) });
};

interface LinesGroup {
  readonly kind: 'lines';
  readonly id: string;
  readonly lines: LineItem[];
}

type Group = TurnGroup | LinesGroup;

/** Walks the file once. What comes after a turn is settled stands between the turns. */
function groupsOf(state: StrandState): readonly Group[] {
  const groups: Group[] = [];
  const turns = new Map<TurnId, TurnGroup>();
  const gaps = new Map(state.gaps.map((gap) => [gap.seq, gap]));
  let bad = 0;
  const badBefore = (seq: number): void => {
    for (let next = state.bad[bad]; next !== undefined && next.seq < seq; next = state.bad[bad]) {
      addLine(groups, badLine(next));
      bad += 1;
    }
  };
  for (const node of state.nodes.values()) {
    badBefore(node.seq);
    const gap = gaps.get(node.seq);
    if (gap !== undefined) addLine(groups, gapLine(gap));
    addNode({ groups, turns }, node);
  }
  badBefore(Number.POSITIVE_INFINITY);
  return groups;
}

interface Grouping {
  readonly groups: Group[];
  readonly turns: Map<TurnId, TurnGroup>;
}

function addNode({ groups, turns }: Grouping, node: StrandNode): void {
  const { record } = node;
  const opensTurn: boolean = record !== null && isPrompt(record);
  if (opensTurn) {
    const group = newTurn(node.id, node);
    turns.set(node.id, group);
    groups.push(group);
    return;
  }
  if (record?.kind === 'turn') {
    const group = turns.get(record.prompt);
    if (group !== undefined) group.settled = true;
    return;
  }
  if (record?.kind === 'message' || record?.kind === 'decision') {
    turnFor({ groups, turns }, node).entries.push({ kind: 'node', node });
    return;
  }
  const line = recordLine(node);
  if (line !== null) addLine(groups, line);
}

/** The turn that a message belongs to; before the first prompt of a window, the rest of an older one. */
function turnFor({ groups, turns }: Grouping, node: StrandNode): TurnGroup {
  const own = node.prompt === null ? undefined : turns.get(node.prompt);
  if (own !== undefined) return own;
  const last = groups.at(-1);
  if (last?.kind === 'turn') return last;
  const rest = newTurn('start', null);
  groups.push(rest);
  return rest;
}

function newTurn(
  id: string,
  node: StrandNode | null,
): TurnGroup & { settled: boolean; entries: TurnEntry[] } {
  return { kind: 'turn', id, node, entries: [], settled: false };
}

function addLine(groups: Group[], line: LineItem): void {
  const last = groups.at(-1);
  if (last?.kind === 'turn' && !last.settled) last.entries.push({ kind: 'line', line });
  else if (last?.kind === 'lines') last.lines.push(line);
  else groups.push({ kind: 'lines', id: `lines-${line.key}`, lines: [line] });
}

function linesBlock({ id, lines }: LinesGroup, previous: TranscriptBlock | undefined): LinesBlock {
  const sources = lines.flatMap((line) => [line.key, line.text]);
  if (previous?.kind === 'lines' && sameList(previous.sources, sources)) return previous;
  return { kind: 'lines', id, seq: lines[0]?.seq ?? 0, lines, sources };
}

function promptsOnPath(state: StrandState): ReadonlySet<RecordId> {
  const found = new Set<RecordId>();
  let node = state.tip === null ? undefined : state.nodes.get(state.tip);
  while (node !== undefined) {
    const prompt: StrandNode | undefined = node.prompt === null ? undefined : state.nodes.get(node.prompt);
    if (prompt === undefined) break;
    found.add(prompt.id);
    node = prompt.parent === null ? undefined : state.nodes.get(prompt.parent);
  }
  return found;
}

/** Turns that an undo took back and no redo brought again, with the newest such undo. */
function undoneTurns(state: StrandState): ReadonlyMap<TurnId, RecordOf<'restore'>> {
  const undone = new Map<TurnId, RecordOf<'restore'>>();
  for (const operation of state.restores) {
    for (const turn of turnsTakenBack(operation)) undone.set(turn, operation.record);
  }
  return undone;
}

function turnsTakenBack({ record, left }: RestoreOperation): readonly TurnId[] {
  if (record.direction !== 'undo' || left === null || record.partial === true) return [];
  return 'turns' in record.undoes ? record.undoes.turns : [];
}

function numberOffset(state: StrandState, turnsOnPath: number | undefined): number | null {
  if (!state.window) return 0;
  const tip = state.tip === null ? undefined : state.nodes.get(state.tip);
  return turnsOnPath === undefined || tip === undefined ? null : turnsOnPath - tip.prompts;
}

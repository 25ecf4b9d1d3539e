/** One turn of a transcript, built anew only when something it is made from changed. */
import type { RecordId, TurnId } from '../record/ids.ts';
import type { RecordOf } from '../record/schema.ts';
import type { StrandNode, StrandState } from '../strand/state.ts';
import { NO_SPEND } from '../strand/usage.ts';
import type {
  LiveView,
  PromptView,
  TranscriptBlock,
  TurnBlock,
  TurnItem,
  TurnStanding,
  UndoneBy,
} from './blocks.ts';
import { coverageWords } from './line-words.ts';
import type { LiveTurn } from './live-turn.ts';
import { itemsOf, sameList, type TurnEntry } from './turn-items.ts';

export interface TurnGroup {
  readonly kind: 'turn';
  readonly id: string;
  /** The prompt; null for the rest of a turn that began before the window. */
  readonly node: StrandNode | null;
  readonly entries: TurnEntry[];
  settled: boolean;
}

export interface TurnContext {
  readonly state: StrandState;
  readonly live: LiveTurn | null;
  readonly known: ReadonlyMap<string, TranscriptBlock>;
  readonly onPath: ReadonlySet<RecordId>;
  readonly undoneBy: ReadonlyMap<TurnId, RecordOf<'restore'>>;
  readonly numberOffset: number | null;
  readonly runningTurn: TurnId | null;
}

/** A turn as the transcript shows it; the one of before is given back when nothing in it changed. */
export const turnBlock = (group: TurnGroup, context: TurnContext): TurnBlock => {
  const { state, live, known } = context;
  const turn = group.node?.id ?? null;
  const facts = factsOf(turn, context);
  const spend = turn === null ? NO_SPEND : (state.spendByTurn.get(turn) ?? NO_SPEND);
  const sources = [
    group.node?.record,
    facts.running,
    facts.standing,
    facts.number,
    facts.undo?.op,
    facts.undo?.files,
    facts.settled,
    spend.cost,
    spend.usage?.input,
    spend.usage?.output,
    ...group.entries.map(sourceOf),
  ];
  const before = known.get(group.id);
  const previous = before?.kind === 'turn' ? before : null;
  const mine = live !== null && live.turn === turn ? live : null;
  if (previous === null || !sameList(previous.sources, sources)) {
    const block = buildBlock({ group, facts, sources, previous: previous?.items ?? [] }, context);
    return { ...block, live: liveView(mine, block.items) };
  }
  if (mine === null) return previous.live === null ? previous : { ...previous, live: null };
  return { ...previous, live: liveView(mine, previous.items) };
};

/** What streams beside the recorded items: calls that are recorded give only their output. */
export const liveView = (live: LiveTurn | null, items: readonly TurnItem[]): LiveView | null => {
  if (live === null) return null;
  const recorded = new Set<string>();
  for (const item of items) {
    if (item.kind === 'tool') recorded.add(item.call);
    if (item.kind === 'reads') for (const call of item.calls) recorded.add(call.call);
  }
  const running = live.parts.filter((part) => part.kind === 'call' && recorded.has(part.call));
  return {
    model: live.model,
    parts: live.parts.filter((part) => part.kind !== 'call' || !recorded.has(part.call)),
    outputs: new Map(running.flatMap((part) => (part.kind === 'call' ? [[part.call, part.output]] : []))),
    retry: live.retry,
  };
};

interface TurnFacts {
  readonly running: boolean;
  readonly standing: TurnStanding;
  readonly number: number | null;
  readonly undo: UndoneBy | null;
  readonly settled: RecordOf<'turn'> | null;
}

function factsOf(turn: TurnId | null, context: TurnContext): TurnFacts {
  const { state, onPath, undoneBy, numberOffset, runningTurn } = context;
  if (turn === null) return { running: false, standing: 'path', number: null, undo: null, settled: null };
  const isOnPath = onPath.has(turn);
  const restore = undoneBy.get(turn);
  const files = state.undone.has(turn);
  // An undo of the conversation that was followed by a move back to the turn no longer counts.
  const counts = restore !== undefined && (files || !isOnPath);
  const number = numberOffset === null ? null : (state.nodes.get(turn)?.prompts ?? 0) + numberOffset;
  return {
    running: runningTurn === turn,
    standing: isOnPath ? 'path' : counts ? 'undone' : 'offshoot',
    number,
    undo: counts ? { op: restore.op, scope: restore.scope, at: restore.at, files } : null,
    settled: state.turnRecords.get(turn) ?? null,
  };
}

/** Records, not nodes: a window that grows at its start has new nodes around the same records. */
function sourceOf(entry: TurnEntry): unknown {
  return entry.kind === 'node'
    ? (entry.node.record ?? entry.node.id)
    : `${entry.line.key} ${entry.line.text}`;
}

interface BlockParts {
  readonly group: TurnGroup;
  readonly facts: TurnFacts;
  readonly sources: readonly unknown[];
  readonly previous: readonly TurnItem[];
}

function buildBlock({ group, facts, sources, previous }: BlockParts, { state }: TurnContext): TurnBlock {
  const { node, entries } = group;
  const { settled, ...standing } = facts;
  const spend = node === null ? NO_SPEND : (state.spendByTurn.get(node.id) ?? NO_SPEND);
  const files = settled?.files ?? [];
  const first = node ?? entries.flatMap((entry) => (entry.kind === 'node' ? [entry.node] : []))[0];
  return {
    kind: 'turn',
    id: group.id,
    turn: node?.id ?? null,
    seq: first?.seq ?? 0,
    at: first?.at ?? '',
    prompt: node?.record?.kind === 'message' ? promptView(node.record) : null,
    items: withoutEcho(itemsOf(entries, previous), settled?.error?.message),
    ...standing,
    outcome: settled?.outcome ?? null,
    error: settled?.error ?? null,
    files,
    added: sum(files.map((file) => file.added)),
    removed: sum(files.map((file) => file.removed)),
    notices: settled === null ? [] : coverageWords(settled.coverage, settled.external),
    check: settled?.check ?? null,
    model: modelOf(entries),
    durationMs: settled?.durationMs ?? null,
    usage: spend.usage,
    cost: spend.cost,
    live: null,
    sources,
  };
}

/** The fault that ended the turn is said once, below it, not also by the message that met it. */
function withoutEcho(items: readonly TurnItem[], error: string | undefined): readonly TurnItem[] {
  const last = items.at(-1);
  return last?.kind === 'error' && last.message === error ? items.slice(0, -1) : items;
}

function promptView({ parts, by }: RecordOf<'message'>): PromptView {
  return {
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    images: parts.flatMap((part) =>
      part.type === 'image' ? [{ mime: part.mime, data: part.data, name: part.name ?? null }] : [],
    ),
    mentions: parts.flatMap((part) => (part.type === 'mention' ? [part.path] : [])),
    notes: parts.flatMap((part) =>
      part.type === 'note' ? [{ text: part.text, files: part.files ?? [] }] : [],
    ),
    by: by ?? 'user',
  };
}

function modelOf(entries: readonly TurnEntry[]): string | null {
  for (const entry of entries.toReversed()) {
    if (
      entry.kind === 'node' &&
      entry.node.record?.kind === 'message' &&
      entry.node.record.model !== undefined
    ) {
      return entry.node.record.model;
    }
  }
  return null;
}

function sum(counts: readonly (number | null)[]): number {
  return counts.reduce<number>((total, count) => total + (count ?? 0), 0);
}

/**
 * The fold of a strand: lines in file order to a state. The same fold runs in bridge, browser, export and
 * tests. Each line costs constant time; nothing a line says can make it throw.
 *
 * For that price the maps and lists inside a state are shared with the states before it: a state handed to
 * `applyLine` must not be used again. Each call gives a new outer object, so that a view can see a change.
 */

import type { OpId, RecordId, TurnId } from '../record/ids.ts';
import type { DecodedLine } from '../record/line.ts';
import {
  type RecordOf,
  type RestoreScope,
  STRAND_FORMAT_VERSION,
  type StrandRecord,
  TIP_KINDS,
} from '../record/schema.ts';
import { isPrompt } from './prompts.ts';
import type { BadLine, Gap, RestoreOperation, Spend, StrandLine, StrandNode, StrandState } from './state.ts';
import { addSpend, NO_SPEND } from './usage.ts';

export type { StrandLine, StrandState } from './state.ts';

export interface ReplayOptions {
  /** The lines are a suffix of the file: a missing parent lies before the window and is no gap. */
  readonly window?: boolean | undefined;
}

/** The state before the first line; `window` when the first lines are not at hand. */
export const emptyStrand = (options: ReplayOptions = {}): StrandState => {
  const state: Fold = {
    window: options.window === true,
    header: null,
    tip: null,
    seq: 0,
    lastId: null,
    lastAt: null,
    nodes: new Map(),
    gaps: [],
    bad: [],
    unknownKinds: new Map(),
    name: null,
    archived: false,
    pinned: false,
    readOnly: null,
    unreadable: false,
    restores: [],
    opIndex: new Map(),
    undone: new Map(),
    turnRecords: new Map(),
    openTurn: null,
    spend: NO_SPEND,
    spendByTurn: new Map(),
  };
  return state;
};

/** The state after one more line. `state` must not be used afterwards. */
export const applyLine = (state: StrandState, line: StrandLine): StrandState => {
  // Only this file makes states, and each of them is a Fold.
  const fold: Fold = { ...(state as Fold) };
  applyTo(fold, line);
  return fold;
};

/** A state of its own: one of the two may be folded on, the other stays what it is. */
export const copyOfState = (state: StrandState): StrandState => {
  const fold = state as Fold;
  const copy: Fold = {
    ...fold,
    nodes: new Map(fold.nodes),
    gaps: [...fold.gaps],
    bad: [...fold.bad],
    unknownKinds: new Map(fold.unknownKinds),
    restores: [...fold.restores],
    opIndex: new Map(fold.opIndex),
    undone: new Map(fold.undone),
    turnRecords: new Map(fold.turnRecords),
    spendByTurn: new Map(fold.spendByTurn),
  };
  return copy;
};

/** Folds lines in file order into the state of the strand (DESIGN section 4). Never throws: what cannot be used is in `bad`. */
export const replay = (lines: Iterable<StrandLine>, options: ReplayOptions = {}): StrandState => {
  const fold = emptyStrand(options) as Fold;
  for (const line of lines) applyTo(fold, line);
  return fold;
};

/** The state as this file sees it: open for writing, and with an index of operations. */
interface Fold extends StrandState {
  header: RecordOf<'header'> | null;
  tip: RecordId | null;
  seq: number;
  lastId: RecordId | null;
  lastAt: string | null;
  name: string | null;
  archived: boolean;
  pinned: boolean;
  readOnly: string | null;
  unreadable: boolean;
  openTurn: TurnId | null;
  spend: Spend;
  readonly nodes: Map<RecordId, StrandNode>;
  readonly gaps: Gap[];
  readonly bad: BadLine[];
  readonly unknownKinds: Map<string, number>;
  readonly restores: RestoreOperation[];
  readonly opIndex: Map<OpId, number>;
  readonly undone: Map<TurnId, OpId>;
  readonly turnRecords: Map<TurnId, RecordOf<'turn'>>;
  readonly spendByTurn: Map<TurnId, Spend>;
}

function applyTo(fold: Fold, { seq, decoded }: StrandLine): void {
  const first = fold.seq === 0 && !fold.window;
  fold.seq = seq;
  const entry = entryOf(decoded);
  if (first && entry?.record?.kind !== 'header') refuseHeader(fold);
  if (entry === null) {
    if (decoded.kind === 'torn' || decoded.kind === 'corrupt') addBad(fold, seq, decoded);
    return;
  }
  const refusal = refusalOf(fold, seq, entry);
  if (refusal !== null) {
    addBad(fold, seq, refusal);
    return;
  }
  const node = addNode(fold, seq, entry);
  if (entry.record === null) {
    fold.unknownKinds.set(entry.kind, (fold.unknownKinds.get(entry.kind) ?? 0) + 1);
    return;
  }
  if (TIP_KINDS.has(entry.kind)) moveTip(fold, node, entry.parent);
  foldRecord(fold, node, entry.record);
}

interface Entry {
  readonly id: RecordId;
  readonly parent: RecordId | null;
  readonly at: string;
  readonly kind: string;
  readonly record: StrandRecord | null;
}

function entryOf(decoded: DecodedLine): Entry | null {
  if (decoded.kind === 'ok') return { ...pickEnvelope(decoded.record), record: decoded.record };
  if (decoded.kind !== 'unknown') return null;
  const { id, parent, at, recordKind } = decoded;
  return { id, parent, at, kind: recordKind, record: null };
}

function pickEnvelope({ id, parent, at, kind }: StrandRecord): Omit<Entry, 'record'> {
  return { id, parent, at, kind };
}

function refuseHeader(fold: Fold): void {
  fold.unreadable = true;
  fold.readOnly = 'The first line is not a whole header, so this file cannot be used as a session.';
}

function refusalOf(fold: Fold, seq: number, entry: Entry): Pick<BadLine, 'kind' | 'reason'> | null {
  if (fold.nodes.has(entry.id)) return { kind: 'duplicate', reason: `the id ${entry.id} was used before` };
  if (entry.kind === 'header' && (fold.header !== null || seq !== 1)) {
    return { kind: 'corrupt', reason: 'a second header' };
  }
  return null;
}

function addBad(fold: Fold, seq: number, { kind, reason }: Pick<BadLine, 'kind' | 'reason'>): void {
  fold.bad.push({ seq, kind, reason, accepted: null, sha: null });
}

/** Adds the record to the tree under its effective parent and carries the path's sums on. */
function addNode(fold: Fold, seq: number, entry: Entry): StrandNode {
  const { id, at, kind, record } = entry;
  const parent = effectiveParent(fold, entry);
  const above = parent === null ? undefined : fold.nodes.get(parent);
  const prompt = record !== null && isPrompt(record);
  const nearest = prompt ? id : (above?.prompt ?? null);
  const node: StrandNode = {
    id,
    seq,
    at,
    record,
    kind,
    parent,
    known: record === null ? (above?.known ?? null) : id,
    prompts: (above?.prompts ?? 0) + (prompt ? 1 : 0),
    messages: (above?.messages ?? 0) + (kind === 'message' ? 1 : 0),
    prompt: nearest,
    firstPrompt: above?.firstPrompt ?? nearest,
    change: kind === 'change' ? id : (above?.change ?? null),
  };
  fold.nodes.set(id, node);
  fold.lastId = id;
  fold.lastAt = at;
  return node;
}

function effectiveParent(fold: Fold, { kind, parent, id }: Entry): RecordId | null {
  if (kind === 'header') return null;
  if (parent !== null && parent !== id && fold.nodes.has(parent)) return parent;
  // In a window the writer's word stands: most likely the parent is a line that is not loaded.
  return fold.window && parent !== null && parent !== id ? parent : fold.tip;
}

function moveTip(fold: Fold, node: StrandNode, parent: RecordId | null): void {
  if (node.kind !== 'header' && parent !== fold.tip) addGap(fold, node, parent);
  fold.tip = node.id;
}

function addGap(fold: Fold, { seq, id }: StrandNode, parent: RecordId | null): void {
  const above = parent === null || parent === id ? undefined : fold.nodes.get(parent);
  if (fold.window && above === undefined) return;
  // A newer Skein may know kinds that become the tip; a record on top of such a one is where it belongs.
  if (above?.record === null && above.known === fold.tip) return;
  const reason = above === undefined ? 'parent_missing' : 'parent_not_tip';
  fold.gaps.push({ seq, id, reason, tip: fold.tip, parent });
}

/** What each kind means beyond its place in the tree. */
function foldRecord(fold: Fold, node: StrandNode, record: StrandRecord): void {
  switch (record.kind) {
    case 'header':
      foldHeader(fold, record);
      return;
    case 'message':
      if (node.prompt === record.id) fold.openTurn = record.id;
      spend(fold, node.prompt, record);
      return;
    case 'usage':
      spend(fold, node.prompt, record);
      return;
    case 'tip':
      moveTo(fold, record.to);
      return;
    case 'restore':
      foldRestore(fold, node, record);
      return;
    case 'turn':
      fold.turnRecords.set(record.prompt, record);
      if (fold.openTurn === record.prompt) fold.openTurn = null;
      return;
    case 'name':
      fold.name = record.name === '' ? null : record.name;
      return;
    case 'flag':
      fold.archived = record.archived ?? fold.archived;
      fold.pinned = record.pinned ?? fold.pinned;
      return;
    case 'recovery':
      foldRecovery(fold, node, record);
      return;
    case 'change':
    case 'digest':
    case 'boundary':
    case 'custom':
    case 'decision':
      return;
  }
}

function foldHeader(fold: Fold, header: RecordOf<'header'>): void {
  fold.header = header;
  if (header.v > STRAND_FORMAT_VERSION) {
    fold.readOnly = `This session was written by a newer Skein (format ${header.v}); update Skein to go on with it.`;
  }
}

function spend(fold: Fold, turn: TurnId | null, record: RecordOf<'message'> | RecordOf<'usage'>): void {
  if (record.usage === undefined && record.cost === undefined) return;
  fold.spend = addSpend(fold.spend, record.usage, record.cost);
  if (turn === null) return;
  fold.spendByTurn.set(turn, addSpend(fold.spendByTurn.get(turn) ?? NO_SPEND, record.usage, record.cost));
}

function moveTo(fold: Fold, to: RecordId): void {
  // A missing target moves nothing; in a window it may lie before the first line.
  if (fold.window || fold.nodes.has(to)) fold.tip = to;
}

function foldRestore(fold: Fold, node: StrandNode, record: RecordOf<'restore'>): void {
  if (record.to !== undefined) moveTo(fold, record.to);
  // A crash between append and closing the intent can repeat an operation; the first one counts.
  if (fold.opIndex.has(record.op)) return;
  fold.opIndex.set(record.op, fold.restores.length);
  fold.restores.push({ record, seq: node.seq, before: node.parent, left: record.scope });
  if ('op' in record.undoes) {
    takeBack(fold, record.undoes.op, record);
  } else if (record.scope !== 'chat' && record.partial !== true) {
    for (const turn of record.undoes.turns) fold.undone.set(turn, record.op);
  }
}

function takeBack(fold: Fold, op: OpId, by: RecordOf<'restore'>): void {
  const index = fold.opIndex.get(op);
  const undo = index === undefined ? undefined : fold.restores[index];
  // Some of its paths came back: the rest is still to be had.
  if (index === undefined || undo === undefined || by.partial === true) return;
  fold.restores[index] = { ...undo, left: without(undo.left, by.scope) };
  if (by.scope === 'chat' || !('turns' in undo.record.undoes)) return;
  for (const turn of undo.record.undoes.turns) {
    if (fold.undone.get(turn) === op) fold.undone.delete(turn);
  }
}

function without(left: RestoreScope | null, taken: RestoreScope): RestoreScope | null {
  if (left !== 'both' || taken === 'both') return left === taken || taken === 'both' ? null : left;
  return taken === 'files' ? 'chat' : 'files';
}

/** A sealed tail is the line right before; an accepted line is named by number. */
function foldRecovery(fold: Fold, node: StrandNode, record: RecordOf<'recovery'>): void {
  const seq = record.torn === undefined ? record.line : node.seq - 1;
  if (seq === undefined) return;
  const index = findBad(fold.bad, seq);
  const bad = fold.bad[index];
  if (bad?.seq !== seq) return;
  const accepted = record.torn === undefined ? 'user' : 'sealed';
  fold.bad[index] = { ...bad, accepted, sha: record.sha ?? null };
}

/** Index of the first bad line at or after `seq`; the list is in file order. */
function findBad(bad: readonly BadLine[], seq: number): number {
  let low = 0;
  let high = bad.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bad[middle]?.seq ?? seq) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}

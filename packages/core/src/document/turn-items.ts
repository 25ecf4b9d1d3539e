/**
 * The items of one turn from its records, in file order: results join their calls, reads in a row fold into
 * one, items that did not change keep their identity.
 */
import type { Part, ToolCallPart, ToolResultPart } from '../record/parts.ts';
import type { RecordOf } from '../record/schema.ts';
import type { StrandNode } from '../strand/state.ts';
import type {
  DecisionView,
  LineItem,
  NoteItem,
  TextItem,
  ThinkingItem,
  ToolItem,
  TurnItem,
} from './blocks.ts';
import { recordLine } from './line-words.ts';
import { isRead, toolEdit, toolLine } from './tool-line.ts';

/** A record of the turn, or a line that stands at its place (a bad line, a gap). */
export type TurnEntry =
  | { readonly kind: 'node'; readonly node: StrandNode }
  | { readonly kind: 'line'; readonly line: LineItem };

export const itemsOf = (
  entries: readonly TurnEntry[],
  previous: readonly TurnItem[],
): readonly TurnItem[] => {
  const builder: Builder = { items: [], open: new Map() };
  for (const entry of entries) {
    if (entry.kind === 'line') builder.items.push(entry.line);
    else addNode(builder, entry.node);
  }
  return reuse(foldReads(builder.items), previous);
};

interface Builder {
  readonly items: TurnItem[];
  /** Index of the newest call of an id that has no result yet. */
  readonly open: Map<string, number>;
}

function addNode(builder: Builder, node: StrandNode): void {
  const { record } = node;
  if (record?.kind === 'message') addMessage(builder, record);
  else if (record?.kind === 'decision') addDecision(builder, record);
  else {
    const line = recordLine(node);
    if (line !== null) builder.items.push(line);
  }
}

function addMessage(builder: Builder, record: RecordOf<'message'>): void {
  if (record.role === 'user') {
    addUserMessage(builder, record);
    return;
  }
  for (const [index, part] of record.parts.entries()) addPart(builder, part, `${record.id}-${index}`);
  if (record.error !== undefined) {
    builder.items.push({ kind: 'error', key: `${record.id}-error`, message: record.error });
  } else if (record.stop === 'length') {
    const message = 'The model stopped at its output limit. Ask it to go on.';
    builder.items.push({ kind: 'error', key: `${record.id}-length`, message });
  }
}

/** Said by the user into the running turn, or by the bridge to the agent. Results may hide in both. */
function addUserMessage(builder: Builder, record: RecordOf<'message'>): void {
  const text = record.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (record.steer === true || record.by !== 'bridge') {
    if (text.length > 0) builder.items.push({ kind: 'steer', key: record.id, at: record.at, text });
  } else {
    for (const [index, content] of text.entries()) {
      builder.items.push({ kind: 'note', key: `${record.id}-${index}`, text: content, files: [] });
    }
  }
  for (const [index, part] of record.parts.entries()) {
    if (part.type !== 'text') addPart(builder, part, `${record.id}-part-${index}`);
  }
}

function addPart(builder: Builder, part: Part, key: string): void {
  const { items } = builder;
  switch (part.type) {
    case 'text':
      if (part.text !== '') items.push({ kind: 'text', key, text: part.text } satisfies TextItem);
      return;
    case 'thinking':
      if (part.text !== '') items.push({ kind: 'thinking', key, text: part.text } satisfies ThinkingItem);
      return;
    case 'note':
      items.push({ kind: 'note', key, text: part.text, files: part.files ?? [] } satisfies NoteItem);
      return;
    case 'tool_call':
      builder.open.set(part.call, items.length);
      items.push(toolItem(part, key));
      return;
    case 'tool_result':
      addResult(builder, part, key);
      return;
    default:
      // Images and mentions belong to prompts.
      return;
  }
}

function toolItem({ call, name, input, inputSpill }: ToolCallPart, key: string): ToolItem {
  return {
    kind: 'tool',
    key,
    call,
    name,
    ...toolLine(name, input),
    input,
    inputSpill: inputSpill ?? null,
    status: 'pending',
    output: null,
    durationMs: null,
    exitCode: null,
    decision: null,
    edit: toolEdit(name, input),
  };
}

function addResult(builder: Builder, part: ToolResultPart, key: string): void {
  const index = builder.open.get(part.call);
  const known = index === undefined ? undefined : builder.items[index];
  const { status, output, durationMs = null, exitCode = null } = part;
  if (index === undefined || known?.kind !== 'tool') {
    // Its call lies before the window, or was never written.
    const call = toolItem({ type: 'tool_call', call: part.call, name: 'result', input: null }, key);
    builder.items.push({ ...call, status, output, durationMs, exitCode });
    return;
  }
  builder.items[index] = { ...known, status, output, durationMs, exitCode };
  builder.open.delete(part.call);
}

function addDecision(builder: Builder, { call, allowed, by, rule, reason }: RecordOf<'decision'>): void {
  const index = builder.items.findLastIndex((item) => item.kind === 'tool' && item.call === call);
  const known = builder.items[index];
  if (known?.kind !== 'tool') return;
  const decision: DecisionView = { allowed, by, rule: rule ?? null, reason: reason ?? null };
  builder.items[index] = { ...known, decision };
}

function foldReads(items: readonly TurnItem[]): readonly TurnItem[] {
  const folded: TurnItem[] = [];
  let run: ToolItem[] = [];
  const flush = (): void => {
    const first = run[0];
    if (first !== undefined && run.length > 1)
      folded.push({ kind: 'reads', key: `${first.key}-reads`, calls: run });
    else folded.push(...run);
    run = [];
  };
  for (const item of items) {
    if (item.kind === 'tool' && isRead(item.verb) && item.status === 'ok') {
      run.push(item);
      continue;
    }
    flush();
    folded.push(item);
  }
  flush();
  return folded;
}

function reuse(items: readonly TurnItem[], previous: readonly TurnItem[]): readonly TurnItem[] {
  if (previous.length === 0) return items;
  const known = new Map(previous.map((item) => [item.key, item]));
  return items.map((item) => {
    const before = known.get(item.key);
    if (before === undefined || before.kind !== item.kind) return item;
    if (item.kind === 'reads' && before.kind === 'reads') {
      const calls = reuse(item.calls, before.calls) as readonly ToolItem[];
      return sameList(calls, before.calls) ? before : { ...item, calls };
    }
    return sameItem(item, before) ? before : item;
  });
}

/** Derived members (edit) follow from `input`, and lists in an item are made anew each time. */
function sameItem(a: TurnItem, b: TurnItem): boolean {
  if (a.kind === 'tool' && b.kind === 'tool') {
    const sameDecision = a.decision?.allowed === b.decision?.allowed && a.decision?.by === b.decision?.by;
    return a.input === b.input && a.output === b.output && a.status === b.status && sameDecision;
  }
  if (a.kind === 'line' && b.kind === 'line') return a.text === b.text;
  if (a.kind === 'steer' && b.kind === 'steer') return sameList(a.text, b.text);
  if (a.kind === 'error' && b.kind === 'error') return a.message === b.message;
  return 'text' in a && 'text' in b && a.text === b.text;
}

export function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

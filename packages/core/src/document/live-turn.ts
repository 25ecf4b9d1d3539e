/**
 * The streaming half of a running turn: live deltas come in, durable records take their place. Live text is
 * disposable (it may be dropped and caught up), so nothing here is ever needed to be right about the past.
 */
import type { TurnId } from '../record/ids.ts';
import type { StrandRecord } from '../record/schema.ts';
import type { LiveEvent } from '../turn/agent-event.ts';

export type LivePart = LiveText | LiveCall;

export interface LiveText {
  readonly kind: 'text' | 'thinking';
  readonly block: string;
  readonly text: string;
}

export interface LiveCall {
  readonly kind: 'call';
  readonly call: string;
  readonly name: string;
  /** JSON text, perhaps incomplete. */
  readonly input: string;
  readonly output: string;
  readonly started: boolean;
}

export interface LiveTurn {
  readonly turn: TurnId;
  readonly model: string | null;
  readonly parts: readonly LivePart[];
  readonly retry: { readonly attempt: number; readonly delayMs: number; readonly message: string } | null;
}

/** Characters of live output that are kept; the whole output comes with the record. */
export const LIVE_OUTPUT_MAX = 32_768;

export const startLive = (turn: TurnId): LiveTurn => ({ turn, model: null, parts: [], retry: null });

/** The turn after one more delta. Deltas of another turn start anew. */
export const applyLive = (live: LiveTurn | null, turn: TurnId, event: LiveEvent): LiveTurn => {
  const now = live === null || live.turn !== turn ? startLive(turn) : live;
  switch (event.type) {
    case 'step_start':
      return { ...now, model: event.model, retry: null, parts: now.parts.filter(isRunning) };
    case 'text':
    case 'thinking':
      return { ...now, retry: null, parts: addText(now.parts, event) };
    case 'tool_input':
      return withCall(now, event, (call) => ({ ...call, input: call.input + event.delta }));
    case 'tool_start':
      return withCall(now, { call: event.call, name: '' }, (call) => ({ ...call, started: true }));
    case 'tool_output':
      return withCall(now, { call: event.call, name: '' }, (call) => ({
        ...call,
        started: true,
        output: lastChars(call.output + event.text),
      }));
    case 'retry': {
      const { attempt, delayMs, message } = event;
      return { ...now, retry: { attempt, delayMs, message } };
    }
    case 'catch_up':
      return { ...now, parts: caughtUp(event) };
  }
};

/** All deltas of one animation frame at once. */
export const applyLiveAll = (
  live: LiveTurn | null,
  deltas: readonly { readonly turn: TurnId; readonly event: LiveEvent }[],
): LiveTurn | null => deltas.reduce((now, { turn, event }) => applyLive(now, turn, event), live);

/** What is left to stream once a record is in the file: its text is not shown twice. */
export const settleLive = (live: LiveTurn | null, record: StrandRecord): LiveTurn | null => {
  if (live === null) return null;
  if (record.kind === 'turn') return record.prompt === live.turn ? null : live;
  if (record.kind !== 'message') return live;
  if (record.role === 'assistant') return { ...live, retry: null, parts: live.parts.filter(isCall) };
  const settled = new Set(record.parts.flatMap((part) => (part.type === 'tool_result' ? [part.call] : [])));
  if (settled.size === 0) return live;
  return { ...live, parts: live.parts.filter((part) => part.kind !== 'call' || !settled.has(part.call)) };
};

function isCall(part: LivePart): part is LiveCall {
  return part.kind === 'call';
}

function isRunning(part: LivePart): boolean {
  return part.kind === 'call' && part.started;
}

function addText(
  parts: readonly LivePart[],
  { type, block, text }: { type: 'text' | 'thinking'; block: string; text: string },
): readonly LivePart[] {
  const index = parts.findLastIndex((part) => part.kind === type && part.block === block);
  const open = parts[index];
  if (open === undefined || open.kind === 'call') return [...parts, { kind: type, block, text }];
  return parts.with(index, { ...open, text: open.text + text });
}

function withCall(
  live: LiveTurn,
  { call, name }: { readonly call: string; readonly name: string },
  change: (call: LiveCall) => LiveCall,
): LiveTurn {
  const index = live.parts.findLastIndex((part) => part.kind === 'call' && part.call === call);
  const known = live.parts[index];
  if (known?.kind === 'call') return { ...live, parts: live.parts.with(index, change(known)) };
  const fresh: LiveCall = { kind: 'call', call, name, input: '', output: '', started: false };
  return { ...live, parts: [...live.parts, change(fresh)] };
}

function caughtUp(event: Extract<LiveEvent, { type: 'catch_up' }>): readonly LivePart[] {
  const texts = event.blocks.map(({ block, kind, text }) => ({ kind, block, text }));
  const calls = event.calls.map((call) => ({
    kind: 'call' as const,
    ...call,
    output: lastChars(call.output),
  }));
  return [...texts, ...calls];
}

/** The end of a text, never starting in the middle of a character. */
function lastChars(text: string): string {
  return text.length <= LIVE_OUTPUT_MAX ? text : text.slice(-LIVE_OUTPUT_MAX).replace(/^[\udc00-\udfff]/, '');
}

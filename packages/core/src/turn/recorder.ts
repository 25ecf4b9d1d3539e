/**
 * From what a driver tells to what is kept. The one place that decides durable against disposable: a
 * message becomes a record when its model call ends, everything before is live only (DESIGN section 1).
 *
 * Whatever a driver sends, in whatever order: no text is lost or doubled, and in the end every call that was
 * recorded has exactly one result. The prompt and the `turn` record are the flow's, not the recorder's.
 */
import type { RecordBody } from '../record/schema.ts';
import { toolMessage } from '../strand/close-open-turn.ts';
import { interruptedResult } from '../strand/context.ts';
import type { AgentEvent, LiveEvent } from './agent-event.ts';
import {
  type CallProgress,
  dropCall,
  findCall,
  noteInput,
  noteOutput,
  noteRecorded,
  noteStarted,
} from './call-progress.ts';
import {
  addCall,
  addText,
  addThinking,
  type OpenStep,
  openStep,
  stepMessage,
  storableInput,
} from './open-step.ts';

export interface RecorderState {
  /** The model call that is running, or null between two. */
  readonly step: OpenStep | null;
  /** Model of the last step: what a driver says without opening a step belongs to it. */
  readonly model: string | null;
  /** Calls without a result, and inputs still streaming. */
  readonly calls: readonly CallProgress[];
  /** After `end`, or an interrupt: nothing more is recorded. */
  readonly ended: boolean;
}

export interface Recorded {
  readonly state: RecorderState;
  /** To be appended in this order, before anything of it is shown as durable. */
  readonly append: RecordBody[];
  /** To be published at once; may be dropped. */
  readonly live: LiveEvent[];
}

/** Before the first event of a turn. */
export const startRecorder = (): RecorderState => ({ step: null, model: null, calls: [], ended: false });

/** One event of an agent: the records to append, durable ones complete, and the live events to send. */
export const record = (state: RecorderState, event: AgentEvent): Recorded => {
  if (state.ended) return { state, append: [], live: [] };
  switch (event.type) {
    case 'step_start':
      return startStep(state, event);
    case 'text':
      return { ...keep(withStep(state, (step) => addText(step, event))), live: [event] };
    case 'thinking': {
      const { type, block, text } = event;
      return { ...keep(withStep(state, (step) => addThinking(step, event))), live: [{ type, block, text }] };
    }
    case 'tool_input':
      return { ...keep({ ...state, calls: noteInput(state.calls, event) }), live: [event] };
    case 'tool_call':
      return recordCall(state, event);
    case 'step_end':
      return endStep(state, event);
    case 'tool_start':
      return { ...keep({ ...state, calls: noteStarted(state.calls, event.call) }), live: [event] };
    case 'tool_output':
      return { ...keep({ ...state, calls: noteOutput(state.calls, event) }), live: [event] };
    case 'tool_result':
      return recordResult(state, event);
    case 'retry':
      return { ...keep(state), live: [event] };
    case 'decision':
    case 'usage':
    case 'steer':
      return { ...keep(state), append: [asideOf(event)] };
    case 'end':
      return { ...keep({ ...startRecorder(), ended: true }), append: interruptRecorder(state) };
  }
};

/** What must be appended when the turn stops here: the partial text, and a result for every open call. */
export const interruptRecorder = (state: RecorderState): RecordBody[] => {
  if (state.ended) return [];
  const { append, state: flushed } = flushStep(state, { stop: 'aborted' });
  const open = flushed.calls.filter(({ recorded }) => recorded);
  return [...append, ...open.map(({ call }) => toolMessage(interruptedResult(call)))];
};

/** The running step so far, for a page that joins in the middle of it. */
export const catchUp = (state: RecorderState): LiveEvent => ({
  type: 'catch_up',
  blocks: (state.step?.blocks ?? []).flatMap((block) =>
    block.kind === 'call' ? [] : [{ block: block.block, kind: block.kind, text: block.text }],
  ),
  calls: state.calls.map(({ call, name, input, output, started }) => ({
    call,
    name,
    input,
    output,
    started,
  })),
});

function keep(state: RecorderState): Recorded {
  return { state, append: [], live: [] };
}

function withStep(state: RecorderState, change: (step: OpenStep) => OpenStep): RecorderState {
  return { ...state, step: change(state.step ?? openStep(state.model)) };
}

/** A step that never ended (a call was retried) is kept as it was: what the user saw stays. */
function startStep(state: RecorderState, event: Extract<AgentEvent, { type: 'step_start' }>): Recorded {
  const flushed = flushStep(state, { stop: 'error' });
  const next = { ...flushed.state, model: event.model, step: openStep(event.model) };
  return { state: next, append: flushed.append, live: [event] };
}

function recordCall(state: RecorderState, event: Extract<AgentEvent, { type: 'tool_call' }>): Recorded {
  const known = findCall(state.calls, event.call);
  // Told twice by a confused driver: two calls of one id could not be told apart by their results.
  const isTwice = known?.recorded === true || state.step?.blocks.some((block) => isCall(block, event.call));
  if (isTwice === true) return keep(state);
  const input = storableInput(event.input);
  const delta = { call: event.call, name: event.name, delta: JSON.stringify(input) };
  const shown = known !== null && known.input !== '';
  const calls = shown ? state.calls : noteInput(state.calls, delta);
  const next = withStep({ ...state, calls }, (step) => addCall(step, { ...event, input }));
  return { state: next, append: [], live: shown ? [] : [{ type: 'tool_input', ...delta }] };
}

function isCall(block: OpenStep['blocks'][number], call: string): boolean {
  return block.kind === 'call' && block.block === call;
}

function endStep(state: RecorderState, event: Extract<AgentEvent, { type: 'step_end' }>): Recorded {
  const { stop, usage, costUsd, error } = event;
  // An end without a start still carries what the call has cost.
  const opened = state.step === null ? { ...state, step: openStep(state.model) } : state;
  return flushStep(opened, { stop, usage, cost: costUsd, error });
}

/** A result while its step is still open (agents that run tools as they speak) ends the step first. */
function recordResult(state: RecorderState, event: Extract<AgentEvent, { type: 'tool_result' }>): Recorded {
  const early = state.step?.blocks.some((block) => isCall(block, event.call)) === true;
  const flushed = early ? flushStep(state, { stop: 'tool' }) : keep(state);
  // A second result, or one for a call that was never told, has nothing to belong to.
  if (findCall(flushed.state.calls, event.call)?.recorded !== true) return flushed;
  const { type, call, status, output, durationMs, exitCode } = event;
  const part = {
    type,
    call,
    status,
    output,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(exitCode === undefined ? {} : { exitCode }),
  };
  const next = { ...flushed.state, calls: dropCall(flushed.state.calls, call) };
  return { state: next, append: [...flushed.append, toolMessage(part)], live: [] };
}

function flushStep(state: RecorderState, end: Parameters<typeof stepMessage>[1]): Recorded {
  if (state.step === null) return keep(state);
  const message = stepMessage(state.step, end);
  const called = state.step.blocks.flatMap((block) => (block.kind === 'call' ? [block.block] : []));
  const next = { ...state, step: null, calls: noteRecorded(state.calls, called) };
  return { state: next, append: message === null ? [] : [message], live: [] };
}

/** Records that stand beside the steps and need not wait for one to end. */
function asideOf(event: Extract<AgentEvent, { type: 'decision' | 'usage' | 'steer' }>): RecordBody {
  switch (event.type) {
    case 'decision': {
      const { call, tool, allowed, by, rule, reason } = event;
      const why = { ...(rule === undefined ? {} : { rule }), ...(reason === undefined ? {} : { reason }) };
      return { kind: 'decision', call, tool, allowed, by, ...why };
    }
    case 'usage': {
      const { model, usage, costUsd, source } = event;
      return { kind: 'usage', model, usage, source, ...(costUsd === undefined ? {} : { cost: costUsd }) };
    }
    case 'steer': {
      const parts = [{ type: 'text' as const, text: event.text }];
      return { kind: 'message', role: 'user', by: 'user', steer: true, parts };
    }
  }
}

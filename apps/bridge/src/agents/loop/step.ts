/**
 * One step: a model call with its further tries. A stream that breaks is tried again from the start under a
 * new `step_start`; when no try is left, what came is kept and the step ends with `error`.
 */
import type { Part } from '@skein/core/record/parts';
import type { AgentEvent } from '@skein/core/turn/agent-event';
import { costOf } from '../prices.ts';
import { cutOff, type ModelFailure } from './failure.ts';
import { pause, type RetryPolicy, retryDelay } from './retry.ts';
import { type DraftCall, openStepDraft, type StepDraft } from './step-draft.ts';
import { type StreamEnd, type StreamRequest, streamStep } from './stream-step.ts';
import { usageOf } from './usage.ts';

export interface StepRequest extends StreamRequest {
  readonly retry: RetryPolicy;
  readonly usedCalls: Set<string>;
  /** An answer without anything in it is tried once more; later in a turn it is a way to say "done". */
  readonly mayBeEmpty: boolean;
}

export interface StepResult {
  readonly kind: 'done' | 'aborted' | 'failed';
  readonly stop: 'end' | 'tool' | 'length' | 'aborted' | 'error';
  readonly parts: readonly Part[];
  /** Every one of them needs a result, whatever `kind` is. */
  readonly calls: readonly DraftCall[];
  readonly costUsd: number | undefined;
  readonly failure: ModelFailure | null;
}

const EMPTY = cutOff('The model gave an empty answer.');
const FILTERED: ModelFailure = {
  code: 'provider',
  message: 'The provider stopped the answer because of its content rules.',
  retryable: false,
  retryAfterMs: null,
};

export async function* runStep(request: StepRequest): AsyncGenerator<AgentEvent, StepResult> {
  let cleanEnds = 0;
  for (let attempt = 1; ; attempt += 1) {
    yield { type: 'step_start', model: request.model.name };
    const draft = openStepDraft(request.usedCalls);
    const end = yield* streamStep(request, draft);
    if (end.kind === 'aborted') return yield* finishAborted(draft);
    cleanEnds += end.kind === 'broken' && end.clean ? 1 : 0;
    const failure = failureIn(end, draft, { ...request, attempt, cleanEnds });
    if (failure === null) return yield* finishDone(end, draft, request);
    const delayMs = retryDelay(request.retry, failure, attempt);
    if (delayMs === null) return yield* finishFailed(draft, failure);
    yield { type: 'retry', attempt, delayMs, message: failure.message };
    if (!(await pause(delayMs, request.signal))) return yield* finishAborted(draft);
  }
}

const failureIn = (
  end: Exclude<StreamEnd, { kind: 'aborted' }>,
  draft: StepDraft,
  state: { readonly mayBeEmpty: boolean; readonly attempt: number; readonly cleanEnds: number },
): ModelFailure | null => {
  const isEmpty = draft.parts().length === 0;
  if (end.kind === 'broken') return end.clean && state.cleanEnds > 1 && !isEmpty ? null : end.failure;
  if (end.reason === 'content-filter') return FILTERED;
  if (!isEmpty || state.mayBeEmpty || end.reason === 'length') return null;
  return state.attempt === 1 ? EMPTY : { ...EMPTY, retryable: false };
};

async function* finishDone(
  end: Exclude<StreamEnd, { kind: 'aborted' }>,
  draft: StepDraft,
  { model }: StepRequest,
): AsyncGenerator<AgentEvent, StepResult> {
  yield* draft.finish();
  const usage = end.kind === 'finished' ? usageOf(end.usage) : undefined;
  const costUsd = costOf(model.price, usage);
  const stop = stopOf(end, draft);
  yield {
    type: 'step_end',
    stop,
    ...(usage === undefined ? {} : { usage }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
  return { kind: 'done', stop, parts: draft.parts(), calls: draft.calls, costUsd, failure: null };
}

const stopOf = (end: StreamEnd, draft: StepDraft): 'end' | 'tool' | 'length' => {
  if (end.kind === 'finished' && end.reason === 'length') return 'length';
  return draft.calls.length > 0 ? 'tool' : 'end';
};

async function* finishAborted(draft: StepDraft): AsyncGenerator<AgentEvent, StepResult> {
  yield* draft.finish();
  if (draft.parts().length > 0)
    yield { type: 'text', block: 'interrupted', text: '\n\n[interrupted by user]' };
  yield { type: 'step_end', stop: 'aborted' };
  return {
    kind: 'aborted',
    stop: 'aborted',
    parts: draft.parts(),
    calls: draft.calls,
    costUsd: undefined,
    failure: null,
  };
}

async function* finishFailed(
  draft: StepDraft,
  failure: ModelFailure,
): AsyncGenerator<AgentEvent, StepResult> {
  yield* draft.finish();
  yield { type: 'step_end', stop: 'error', error: failure.message };
  return {
    kind: 'failed',
    stop: 'error',
    parts: draft.parts(),
    calls: draft.calls,
    costUsd: undefined,
    failure,
  };
}

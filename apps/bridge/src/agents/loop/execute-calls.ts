/**
 * Carries out the calls of one step, in order: prepare, ask, run. Invariant: every call gets exactly one
 * result, whatever happens; nothing here throws.
 */
import type { ToolResultPart } from '@skein/core/record/parts';
import type { AgentEvent } from '@skein/core/turn/agent-event';
import type { Clock } from '../../platform/clock.ts';
import type { AgentTurn } from '../driver.ts';
import type { PermissionAnswer } from '../ports.ts';
import type { ReadTracker } from '../tools/read-tracker.ts';
import type { PermissionFacts, PreparedCall, Tool, ToolContext, ToolOutcome } from '../tools/tool.ts';
import { type LiveText, openLiveText } from './live-text.ts';
import type { DraftCall } from './step-draft.ts';

export interface CallsContext {
  readonly turn: AgentTurn;
  readonly cwd: string;
  readonly root: string;
  readonly tools: readonly Tool[];
  readonly reads: ReadTracker;
  readonly requireRead: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const NOT_STARTED: ToolOutcome = { status: 'interrupted', output: '[interrupted by user] It did not run.' };

export async function* executeCalls(
  calls: readonly DraftCall[],
  context: CallsContext,
): AsyncGenerator<AgentEvent, readonly ToolResultPart[]> {
  const results: ToolResultPart[] = [];
  for (const call of calls) {
    const started = context.clock.nowMs();
    const outcome = yield* executeCall(call, context);
    const { output, exitCode } = outcome;
    const result: ToolResultPart = {
      type: 'tool_result',
      call: call.call,
      status: outcome.status,
      output: output.toWellFormed(),
      durationMs: Math.max(0, context.clock.nowMs() - started),
      ...(exitCode === undefined ? {} : { exitCode }),
    };
    results.push(result);
    yield { ...result, output: output.toWellFormed() };
  }
  return results;
}

type CallOutcome = Omit<ToolOutcome, 'status'> & { readonly status: ToolResultPart['status'] };

async function* executeCall(call: DraftCall, context: CallsContext): AsyncGenerator<AgentEvent, CallOutcome> {
  if (context.signal.aborted) return NOT_STARTED;
  const live = openLiveText();
  const prepared = await prepare(call, context, live);
  if (prepared.kind === 'refused') return prepared.outcome;
  const answer = await ask(call, prepared.ask, context);
  if (answer === 'interrupted') return NOT_STARTED;
  if (answer.kind === 'fault') return { status: 'error', output: answer.message };
  if (prepared.readsOnly !== true || answer.kind === 'denied')
    yield decisionOf(call, prepared.ask.tool, answer);
  if (answer.kind === 'denied') return { status: 'denied', output: answer.reason };
  yield { type: 'tool_start', call: call.call };
  return yield* run(call, prepared.run, live);
}

const prepare = async (call: DraftCall, context: CallsContext, live: LiveText): Promise<PreparedCall> => {
  const tool = context.tools.find(({ name }) => name === call.name);
  if (tool === undefined) {
    const names = context.tools.map(({ name }) => name).join(', ');
    return refusedWith(`There is no tool ${call.name}. The tools are: ${names}.`);
  }
  if (typeof call.input === 'string') {
    return refusedWith(`The input of ${call.name} is not valid JSON. Send it again as one JSON object.`);
  }
  const { turn, cwd, root, reads, requireRead, signal } = context;
  const toolContext: ToolContext = {
    call: call.call,
    cwd,
    root,
    gate: turn.gate,
    processes: turn.processes,
    signal,
    reads,
    requireRead,
    shellTimeoutMs: turn.limits.shellTimeoutMs,
    onOutput: (text) => live.push(text),
  };
  try {
    return await tool.prepare(call.input, toolContext);
  } catch (error) {
    return refusedWith(messageOf(error));
  }
};

const refusedWith = (output: string): PreparedCall => ({
  kind: 'refused',
  outcome: { status: 'error', output },
});

type Answer = PermissionAnswer | { readonly kind: 'fault'; readonly message: string } | 'interrupted';

const ask = async (call: DraftCall, facts: PermissionFacts, context: CallsContext): Promise<Answer> => {
  const { promise, resolve } = Promise.withResolvers<'interrupted'>();
  const onAbort = (): void => resolve('interrupted');
  context.signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([
      context.turn.permissions.ask({ ...facts, call: call.call, input: call.input }),
      promise,
    ]);
  } catch (error) {
    return context.signal.aborted ? 'interrupted' : { kind: 'fault', message: messageOf(error) };
  } finally {
    context.signal.removeEventListener('abort', onAbort);
  }
};

const decisionOf = (call: DraftCall, tool: string, answer: PermissionAnswer): AgentEvent => ({
  type: 'decision',
  call: call.call,
  tool,
  allowed: answer.kind === 'allowed',
  by: answer.by,
  ...(answer.rule === undefined ? {} : { rule: answer.rule }),
  ...(answer.kind === 'denied' ? { reason: answer.reason } : {}),
});

async function* run(
  { call }: DraftCall,
  work: () => Promise<ToolOutcome>,
  live: LiveText,
): AsyncGenerator<AgentEvent, ToolOutcome> {
  let outcome: ToolOutcome | null = null;
  const finished = work().then(
    (result) => {
      outcome = result;
    },
    (error: unknown) => {
      outcome = { status: 'error', output: messageOf(error) };
    },
  );
  for (;;) {
    await Promise.race([finished, live.more()]);
    const text = live.take();
    if (text !== '') yield { type: 'tool_output', call, text: text.toWellFormed() };
    if (outcome !== null) return outcome;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

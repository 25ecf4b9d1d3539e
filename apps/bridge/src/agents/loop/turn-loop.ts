/**
 * The loop itself: model call, tool calls, model call, until the model has nothing more to do or a limit is
 * reached. Shared by the loop and the script driver. Yields `end` last and exactly once and never throws.
 */
import { isBridgeError } from '@skein/core/protocol/errors';
import type { ToolResultPart } from '@skein/core/record/parts';
import type { TurnOutcome } from '@skein/core/record/schema';
import type { AgentEvent } from '@skein/core/turn/agent-event';
import type { Clock } from '../../platform/clock.ts';
import type { AgentTurn } from '../driver.ts';
import type { ReadTracker } from '../tools/read-tracker.ts';
import type { Tool } from '../tools/tool.ts';
import { type Conversation, openConversation, type Spoken } from './conversation.ts';
import { executeCalls } from './execute-calls.ts';
import { createLoopGuard, type LoopGuard } from './loop-guard.ts';
import { readMention } from './mention.ts';
import type { LoopModel } from './model.ts';
import { modelView } from './model-view.ts';
import type { RetryPolicy } from './retry.ts';
import { runStep, type StepResult } from './step.ts';

export interface TurnLoop {
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  readonly idleTimeoutMs: number;
  readonly cwd: string;
  readonly root: string;
  readonly tools: readonly Tool[];
  readonly reads: ReadTracker;
  readonly requireRead: boolean;
  /** Faults (no key, no such provider) end the turn as failed. */
  readonly loadModel: (turn: AgentTurn) => Promise<LoopModel>;
  readonly systemPrompt: (turn: AgentTurn) => Promise<string>;
}

type Ending = Omit<Extract<AgentEvent, { type: 'end' }>, 'type'>;

interface Run {
  readonly loop: TurnLoop;
  readonly turn: AgentTurn;
  readonly signal: AbortSignal;
  readonly model: LoopModel;
  readonly system: string;
  readonly conversation: Conversation;
  readonly guard: LoopGuard;
  readonly usedCalls: Set<string>;
}

export async function* runTurn(loop: TurnLoop, turn: AgentTurn): AsyncGenerator<AgentEvent> {
  const stop = new AbortController();
  const signal = AbortSignal.any([turn.signal, stop.signal]);
  let ending: Ending;
  try {
    ending = yield* runSteps(await openRun(loop, turn, signal));
  } catch (error) {
    ending = signal.aborted ? ended('aborted') : failedWith(error);
  } finally {
    // A consumer that leaves early must not leave a model call or a command behind.
    stop.abort();
  }
  yield { type: 'end', ...ending };
}

const openRun = async (loop: TurnLoop, turn: AgentTurn, signal: AbortSignal): Promise<Run> => {
  const model = await loop.loadModel(turn);
  const conversation = openConversation({
    model: model.name,
    sendsUnsignedThinking: model.sendsUnsignedThinking,
    readSpill: turn.readSpill,
    readMention: (path) => readMention(path, { root: loop.root, gate: turn.gate, reads: loop.reads }),
  });
  const prompt = turn.context.findLastIndex(({ role }) => role === 'user');
  for (const [index, message] of turn.context.entries()) {
    await conversation.add(message, { mentions: index === prompt });
  }
  const system = await loop.systemPrompt(turn);
  return { loop, turn, signal, model, system, conversation, guard: createLoopGuard(), usedCalls: new Set() };
};

async function* runSteps(run: Run): AsyncGenerator<AgentEvent, Ending> {
  let spentUsd = 0;
  for (let steps = 0; ; steps += 1) {
    if (run.signal.aborted) return ended('aborted');
    const limit = limitReached(run, { steps, spentUsd });
    if (limit !== null) return limit;
    yield* takeSteers(run);
    const step = yield* runStep(stepRequest(run, steps));
    spentUsd += step.costUsd ?? 0;
    await run.conversation.add(assistant(run, step));
    const results = yield* executeCalls(step.calls, callsContext(run, step));
    for (const part of results) await run.conversation.add({ role: 'tool', parts: [part], model: null });
    const ending = endingOf(run, step, results);
    if (ending !== null && !(ending.outcome === 'done' && (yield* takeSteers(run)))) return ending;
  }
}

const stepRequest = (run: Run, steps: number): Parameters<typeof runStep>[0] => ({
  model: run.model,
  system: run.system,
  messages: run.conversation.messages,
  tools: run.loop.tools,
  signal: run.signal,
  idleTimeoutMs: run.loop.idleTimeoutMs,
  nowMs: () => run.loop.clock.nowMs(),
  retry: run.loop.retry,
  usedCalls: run.usedCalls,
  mayBeEmpty: steps > 0,
});

/** Calls of a step that was interrupted or failed are answered, not run. */
const callsContext = (run: Run, step: StepResult): Parameters<typeof executeCalls>[1] => {
  const { cwd, root, tools, reads, requireRead, clock } = run.loop;
  const signal = step.kind === 'done' ? run.signal : AbortSignal.abort();
  return { turn: run.turn, cwd, root, tools, reads, requireRead, clock, signal };
};

const assistant = (run: Run, step: StepResult): Spoken => ({
  role: 'assistant',
  parts: step.parts,
  model: run.model.name,
});

/** Messages that the user sent meanwhile go to the model between two steps. True when there were any. */
async function* takeSteers(run: Run): AsyncGenerator<AgentEvent, boolean> {
  const steers = run.turn.takeSteers();
  for (const { id, text } of steers) {
    yield { type: 'steer', id, text };
    await run.conversation.add({ role: 'user', parts: [{ type: 'text', text }], model: null });
  }
  return steers.length > 0;
}

/** How the turn ends after this step, or null when the model goes on. */
const endingOf = (run: Run, step: StepResult, results: readonly ToolResultPart[]): Ending | null => {
  if (step.kind === 'failed') return failedBy(step);
  if (step.kind === 'aborted' || run.signal.aborted) return ended('aborted');
  if (step.calls.length === 0) {
    return step.stop === 'length'
      ? limitEnding('The answer was cut off at the model’s output limit.')
      : ended('done');
  }
  const noted = step.calls.map(({ name, input }, index) => ({ name, input, result: viewOf(results[index]) }));
  return run.guard.note(noted)
    ? limitEnding('The agent made the same call with the same result four times, so it was stopped.')
    : null;
};

const viewOf = (result: ToolResultPart | undefined): string =>
  result === undefined ? '' : modelView({ ...result, output: String(result.output) });

const limitReached = (
  run: Run,
  used: { readonly steps: number; readonly spentUsd: number },
): Ending | null => {
  const { steps, costUsd } = run.turn.limits;
  if (used.steps >= steps)
    return limitEnding(`The agent stopped after ${steps} steps, the limit of one turn.`);
  if (costUsd === null || used.spentUsd < costUsd) return null;
  return limitEnding(
    `The turn has cost ${used.spentUsd.toFixed(2)} dollars; the limit is ${costUsd.toFixed(2)}.`,
  );
};

const ended = (outcome: TurnOutcome): Ending => ({ outcome });
const limitEnding = (message: string): Ending => ({ outcome: 'limit', error: { code: 'limit', message } });

const failedBy = ({ failure }: StepResult): Ending => ({
  outcome: 'failed',
  error: { code: failure?.code ?? 'provider', message: failure?.message ?? 'The model call failed.' },
});

const failedWith = (error: unknown): Ending => ({
  outcome: 'failed',
  error: {
    code: isBridgeError(error) ? error.code : 'internal',
    message: error instanceof Error ? error.message : String(error),
  },
});

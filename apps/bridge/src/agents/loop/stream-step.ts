/**
 * One call of a model through the AI SDK, without tools that run and without retries: both are ours. Yields
 * events as they stream and says how the stream ended. Invariant: an abort or a silent connection ends it.
 */
import type { AgentEvent } from '@skein/core/turn/agent-event';
import type {
  JSONSchema7,
  LanguageModelUsage,
  ModelMessage,
  SystemModelMessage,
  TextStreamPart,
  ToolSet,
} from 'ai';
import type { Tool } from '../tools/tool.ts';
import { cutOff, failureOf, type ModelFailure } from './failure.ts';
import type { LoopModel } from './model.ts';
import type { StepDraft } from './step-draft.ts';

export interface StreamRequest {
  readonly model: LoopModel;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly Tool[];
  readonly signal: AbortSignal;
  /** Without a byte for so long the connection counts as cut. */
  readonly idleTimeoutMs: number;
  readonly nowMs: () => number;
}

export type StreamEnd =
  | { readonly kind: 'finished'; readonly reason: string; readonly usage: LanguageModelUsage }
  /** `clean`: the server ended the stream without saying why; some servers never do. */
  | { readonly kind: 'broken'; readonly failure: ModelFailure; readonly clean: boolean }
  | { readonly kind: 'aborted' };

export async function* streamStep(
  request: StreamRequest,
  draft: StepDraft,
): AsyncGenerator<AgentEvent, StreamEnd> {
  const connection = new AbortController();
  const parts = await openStream(request, AbortSignal.any([request.signal, connection.signal]));
  try {
    for (;;) {
      const next = await nextPart(parts, request);
      if (next === 'aborted') return { kind: 'aborted' };
      if (next === 'silent') return broken(cutOff('The model endpoint fell silent.'));
      if (next.done === true) return broken(cutOff('The connection to the model ended early.'));
      const end = endOf(next.value, request);
      if (end !== null) return end;
      yield* draft.take(next.value);
    }
  } catch (error) {
    if (request.signal.aborted) return { kind: 'aborted' };
    return broken(failureOf(error, { nowMs: request.nowMs(), secret: request.model.secret }));
  } finally {
    connection.abort();
    // The stream may never answer; what it still says is of no interest.
    parts.return?.().catch(() => undefined);
  }
}

const openStream = async (
  request: StreamRequest,
  abortSignal: AbortSignal,
): Promise<AsyncIterator<TextStreamPart<ToolSet>>> => {
  const { jsonSchema, streamText } = await import('ai');
  // Its default prints to the terminal; what matters comes as an error part.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const tools: ToolSet = {};
  for (const { name, description, inputSchema } of request.tools) {
    tools[name] = { description, inputSchema: jsonSchema(inputSchema as JSONSchema7) };
  }
  const { model } = request;
  const result = streamText({
    model: model.model,
    instructions: withMark<SystemModelMessage>({ role: 'system', content: request.system }, model),
    messages: request.messages.map((message, index) =>
      index === request.messages.length - 1 ? withMark(message, model) : message,
    ),
    tools,
    providerOptions: model.callOptions,
    maxRetries: 0,
    abortSignal,
    onError: () => undefined,
    telemetry: { isEnabled: false },
  });
  return result.stream[Symbol.asyncIterator]();
};

const withMark = <M extends ModelMessage | SystemModelMessage>(message: M, model: LoopModel): M =>
  model.cacheMark === null ? message : { ...message, providerOptions: model.cacheMark };

const nextPart = async (
  parts: AsyncIterator<TextStreamPart<ToolSet>>,
  request: StreamRequest,
): Promise<IteratorResult<TextStreamPart<ToolSet>> | 'aborted' | 'silent'> => {
  const { promise, resolve } = Promise.withResolvers<'aborted' | 'silent'>();
  const onAbort = (): void => resolve('aborted');
  const timer = setTimeout(() => resolve('silent'), request.idleTimeoutMs);
  request.signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (request.signal.aborted) return 'aborted';
    return await Promise.race([parts.next(), promise]);
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', onAbort);
  }
};

const endOf = (part: TextStreamPart<ToolSet>, request: StreamRequest): StreamEnd | null => {
  if (part.type === 'abort') return { kind: 'aborted' };
  if (part.type === 'error') {
    const failure = failureOf(part.error, { nowMs: request.nowMs(), secret: request.model.secret });
    // The words of @ai-sdk/openai-compatible; the other providers say `interrupted` below.
    return failure.message.includes('ended without a finish reason') ? ENDED_EARLY : broken(failure);
  }
  if (part.type !== 'finish-step') return null;
  const saidNothing = part.rawFinishReason === undefined && ['other', 'error'].includes(part.finishReason);
  if (saidNothing || part.finishReason === 'interrupted') return ENDED_EARLY;
  return { kind: 'finished', reason: part.finishReason, usage: part.usage };
};

const ENDED_EARLY: StreamEnd = {
  kind: 'broken',
  failure: cutOff('The answer of the model ended early.'),
  clean: true,
};

const broken = (failure: ModelFailure): StreamEnd => ({ kind: 'broken', failure, clean: false });

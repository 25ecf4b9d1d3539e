/**
 * The script as a language model of the AI SDK: each call of it plays the statements up to and including the
 * next tool call. Deterministic, without a key or a network; text comes in small pieces, as from a model.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import { BridgeError } from '@skein/core/protocol/errors';
import { parseScript, type Statement } from './statements.ts';

export interface ScriptModelDeps {
  /** Ids of calls are unique within the session: they begin with the turn's. */
  readonly turn: string;
  /** Ends the process at the named point (docs/script-language.md). */
  readonly crash: (point: string) => unknown;
  /** Between two pieces of text; 0 only lets others run. */
  readonly pieceDelayMs: number;
}

/** One model for one turn: it remembers how far the script has been played. */
export const createScriptModel = (script: string, deps: ScriptModelDeps): LanguageModelV4 => {
  const waiting = [...parseScript(script)];
  let userMessages: number | null = null;
  let calls = 0;
  const hearSteers = (prompt: LanguageModelV4CallOptions['prompt']): void => {
    const said = prompt.filter(({ role }) => role === 'user');
    for (const message of said.slice(userMessages ?? said.length))
      waiting.push(...parseScript(textIn(message)));
    userMessages = said.length;
  };
  return {
    specificationVersion: 'v4',
    provider: 'script',
    modelId: 'script',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new BridgeError('internal', 'The script model only streams.')),
    doStream: async (options): Promise<LanguageModelV4StreamResult> => {
      hearSteers(options.prompt);
      const message = takeMessage(waiting);
      const pieces = play(message, { deps, callId: () => `${deps.turn}-${++calls}`, options });
      return { stream: ReadableStream.from(pieces) as ReadableStream<LanguageModelV4StreamPart> };
    },
  };
};

/** Up to and including the next call. */
const takeMessage = (waiting: Statement[]): readonly Statement[] => {
  const end = waiting.findIndex(({ kind }) => kind === 'call');
  return waiting.splice(0, end === -1 ? waiting.length : end + 1);
};

const textIn = (message: LanguageModelV4CallOptions['prompt'][number]): string =>
  typeof message.content === 'string'
    ? message.content
    : message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

interface Player {
  readonly deps: ScriptModelDeps;
  readonly callId: () => string;
  readonly options: LanguageModelV4CallOptions;
}

async function* play(
  message: readonly Statement[],
  player: Player,
): AsyncGenerator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  let characters = 0;
  for (const [index, statement] of message.entries()) {
    for await (const part of playOne(statement, `${index}`, player)) {
      characters += 'delta' in part ? part.delta.length : 0;
      yield part;
    }
  }
  const hasCall = message.at(-1)?.kind === 'call';
  yield {
    type: 'finish',
    finishReason: { unified: hasCall ? 'tool-calls' : 'stop', raw: hasCall ? 'tool' : 'end' },
    usage: usageOf(player.options, characters),
  };
}

async function* playOne(
  statement: Statement,
  id: string,
  player: Player,
): AsyncGenerator<LanguageModelV4StreamPart> {
  switch (statement.kind) {
    case 'say':
      yield { type: 'text-start', id };
      for await (const delta of pieces(statement.text, player)) yield { type: 'text-delta', id, delta };
      yield { type: 'text-end', id };
      return;
    case 'think':
      yield { type: 'reasoning-start', id };
      for await (const delta of pieces(statement.text, player)) yield { type: 'reasoning-delta', id, delta };
      yield { type: 'reasoning-end', id };
      return;
    case 'sleep':
      await wait(statement.ms, player);
      return;
    case 'crash':
      await player.deps.crash(statement.point);
      return;
    case 'fail':
      throw new BridgeError('provider', statement.text === '' ? 'The script failed.' : statement.text);
    case 'call':
      yield* playCall(statement, player);
  }
}

async function* playCall(
  { tool, input }: Extract<Statement, { kind: 'call' }>,
  player: Player,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const id = player.callId();
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  yield { type: 'tool-input-start', id, toolName: tool };
  for await (const delta of pieces(text, player)) yield { type: 'tool-input-delta', id, delta };
  yield { type: 'tool-input-end', id };
  yield { type: 'tool-call', toolCallId: id, toolName: tool, input: text };
}

const PIECE = 24;
/** Long texts come in larger pieces: a script is no test of patience. */
const MAX_PIECES = 200;

/** Cut between code points. */
async function* pieces(text: string, { deps, options }: Player): AsyncGenerator<string> {
  const points = [...text];
  const size = Math.max(PIECE, Math.ceil(points.length / MAX_PIECES));
  for (let from = 0; from < points.length; from += size) {
    options.abortSignal?.throwIfAborted();
    yield points.slice(from, from + size).join('');
    await sleep(deps.pieceDelayMs);
  }
}

const wait = async (ms: number, { options }: Player): Promise<void> => {
  await sleep(ms, undefined, options.abortSignal === undefined ? {} : { signal: options.abortSignal });
};

/** Made up, but always the same: about four characters a token. */
const usageOf = (
  options: LanguageModelV4CallOptions,
  characters: number,
): Extract<LanguageModelV4StreamPart, { type: 'finish' }>['usage'] => {
  const total = Math.ceil(
    options.prompt.reduce((sum, message) => sum + textIn(message as never).length, 0) / 4,
  );
  const said = Math.ceil(characters / 4);
  return {
    inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: said, text: said, reasoning: 0 },
  };
};

/** The driver `script`: the prompt is the script, played through the very same loop, gate and records. */
import { type Content, contentHead } from '@skein/core/record/parts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { AgentDriver, AgentTurn } from '../driver.ts';
import { LOOP_CAPABILITIES } from '../loop/driver.ts';
import type { LoopModel } from '../loop/model.ts';
import { openLoopSession } from '../loop/session.ts';
import { createStrandMemories } from '../loop/strand-memory.ts';
import { createScriptModel, type ScriptModelDeps } from './model.ts';
import { SCRIPT_TOOLS } from './tools.ts';

export interface ScriptDriverDeps {
  /** Ends the process; what it may be called with is listed in docs/script-language.md. */
  readonly crash: ScriptModelDeps['crash'];
  readonly clock?: Clock | undefined;
  /** Between two pieces of text, so that a demo reads like a model; default 0. */
  readonly pieceDelayMs?: number | undefined;
}

const MODEL = 'script/script';

export const createScriptDriver = (deps: ScriptDriverDeps): AgentDriver => {
  const memories = createStrandMemories(() => Promise.resolve(null));
  return {
    name: 'script',
    capabilities: LOOP_CAPABILITIES,
    info: () =>
      Promise.resolve({
        name: 'script',
        title: 'Script',
        available: true,
        reason: null,
        models: [MODEL],
        defaultModel: MODEL,
        defaultMode: 'auto',
        capabilities: LOOP_CAPABILITIES,
      }),
    start: (options) =>
      Promise.resolve(
        openLoopSession(options, {
          clock: deps.clock ?? systemClock,
          retry: { delaysMs: [], maxWaitMs: 0 },
          idleTimeoutMs: 3_600_000,
          tools: SCRIPT_TOOLS,
          // A script says what it writes and has nothing to look at first.
          requireRead: false,
          memory: memories.of(options.strand, options),
          loadModel: (turn) => scriptModel(turn, deps),
        }),
      ),
  };
};

const scriptModel = async (turn: AgentTurn, deps: ScriptDriverDeps): Promise<LoopModel> => ({
  name: MODEL,
  model: createScriptModel(await scriptIn(turn), {
    turn: turn.turn,
    crash: deps.crash,
    pieceDelayMs: deps.pieceDelayMs ?? 0,
  }),
  price: null,
  callOptions: {},
  cacheMark: null,
  sendsUnsignedThinking: false,
  secret: null,
});

/** The text of the newest prompt; notes and files are for other models. */
const scriptIn = async (turn: AgentTurn): Promise<string> => {
  const prompt = turn.context.findLast(({ role }) => role === 'user');
  const texts = (prompt?.parts ?? []).flatMap((part) =>
    part.type === 'text' ? [wholeText(part.text, turn)] : [],
  );
  return (await Promise.all(texts)).join('\n');
};

const wholeText = async (content: Content, turn: AgentTurn): Promise<string> =>
  typeof content === 'string'
    ? contentHead(content)
    : Buffer.from(await turn.readSpill(content.sha256)).toString('utf8');

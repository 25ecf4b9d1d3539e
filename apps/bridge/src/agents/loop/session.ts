/** A session of the loop or of the script model: one turn at a time through the same loop. */
import type { Clock } from '../../platform/clock.ts';
import type { AgentSession, AgentSessionOptions, AgentTurn } from '../driver.ts';
import { systemPrompt } from '../system-prompt.ts';
import type { Tool } from '../tools/tool.ts';
import type { LoopModel } from './model.ts';
import type { RetryPolicy } from './retry.ts';
import type { StrandMemory } from './strand-memory.ts';
import { runTurn } from './turn-loop.ts';

export interface LoopSessionDeps {
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  readonly idleTimeoutMs: number;
  readonly tools: readonly Tool[];
  readonly requireRead: boolean;
  readonly memory: StrandMemory;
  readonly loadModel: (turn: AgentTurn) => Promise<LoopModel>;
}

export const openLoopSession = (options: AgentSessionOptions, deps: LoopSessionDeps): AgentSession => {
  const { cwd, root } = options;
  return {
    prompt: (turn) =>
      runTurn(
        {
          ...deps,
          cwd,
          root,
          reads: deps.memory.reads,
          systemPrompt: async ({ context, gate, mode }) =>
            systemPrompt({
              cwd,
              root,
              platform: process.platform,
              today: deps.clock.nowIso().slice(0, 10),
              mode,
              instructions: await deps.memory.instructions({ context, gate }),
            }),
        },
        turn,
      ),
    close: () => Promise.resolve(),
  };
};

/** The driver `loop`: Skein's own agent on any model that the settings know. */

import type { AgentCapabilities } from '@skein/core/protocol/agents';
import { BridgeError } from '@skein/core/protocol/errors';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { readFileIfThere } from '../../platform/files.ts';
import type { AgentDriver, AgentSession, AgentSessionOptions, ResolvedProvider } from '../driver.ts';
import { isUsable, offeredModels } from '../providers/choose-model.ts';
import { loadModel } from '../providers/load-model.ts';
import { LOOP_TOOLS } from '../tools/catalog.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';
import { openLoopSession } from './session.ts';
import { createStrandMemories } from './strand-memory.ts';

export interface LoopDriverDeps {
  /** With their keys, as the settings are now; asked at every turn. */
  readonly providers: () => Promise<readonly ResolvedProvider[]>;
  /** The user's own AGENTS.md; need not exist. */
  readonly instructionsFile: string;
  readonly clock?: Clock | undefined;
  readonly retry?: RetryPolicy | undefined;
  /** Default 10 minutes: a local model may think long before its first word. */
  readonly idleTimeoutMs?: number | undefined;
}

export const LOOP_CAPABILITIES: AgentCapabilities = {
  gatesWrites: true,
  resume: true,
  steer: true,
  images: true,
  thinking: true,
  modes: ['ask', 'edits', 'plan', 'auto'],
};

const IDLE_TIMEOUT_MS = 600_000;

/** Loads no SDK before the first turn. */
export const createLoopDriver = (deps: LoopDriverDeps): AgentDriver => {
  const memories = createStrandMemories(() => readPersonal(deps.instructionsFile));
  return {
    name: 'loop',
    capabilities: LOOP_CAPABILITIES,
    async info() {
      const models = offeredModels(await deps.providers());
      return {
        name: 'loop',
        title: 'Skein',
        available: models.length > 0,
        reason: models.length > 0 ? null : 'Add a key or a local model server in the settings.',
        models: [...models],
        defaultModel: models[0] ?? null,
        defaultMode: 'ask',
        capabilities: LOOP_CAPABILITIES,
      };
    },
    async start(options: AgentSessionOptions): Promise<AgentSession> {
      const providers = await deps.providers();
      if (!providers.some(isUsable)) {
        throw new BridgeError(
          'no_provider',
          'No model can be asked yet. Add a key or a local model server in the settings.',
        );
      }
      return openLoopSession(options, {
        clock: deps.clock ?? systemClock,
        retry: deps.retry ?? DEFAULT_RETRY,
        idleTimeoutMs: deps.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
        tools: LOOP_TOOLS,
        requireRead: true,
        memory: memories.of(options.strand, options),
        loadModel: async (turn) => loadModel(await deps.providers(), turn.model),
      });
    },
  };
};

/** The user's own instructions, null when there are none. Fault `io`. */
export const readPersonal = async (file: string): Promise<string | null> => {
  const bytes = await readFileIfThere(file);
  return bytes === null ? null : Buffer.from(bytes).toString('utf8');
};

/** The agents of this installation. */
import { join } from 'node:path';
import type { AgentDriver } from '../agents/driver.ts';
import { createLoopDriver } from '../agents/loop/driver.ts';
import { createScriptDriver } from '../agents/script/driver.ts';
import type { Git } from '../platform/git.ts';
import type { SettingsStore } from '../settings/settings.ts';

export interface OpenDriversDeps {
  readonly settings: SettingsStore;
  readonly configDir: string;
  readonly git: Git | null;
}

export const openDrivers = (deps: OpenDriversDeps): readonly AgentDriver[] => {
  const instructionsFile = join(deps.configDir, 'AGENTS.md');
  const providers = async () =>
    Promise.all(
      (await deps.settings.providers()).map(async (provider) => ({
        id: provider.id,
        config: provider.config,
        apiKey: await deps.settings.getKey(provider.id),
        models: provider.config.models ?? [],
      })),
    );
  return [
    createLoopDriver({ providers, instructionsFile }),
    createScriptDriver({ crash: () => process.kill(process.pid, 'SIGKILL') }),
  ];
};

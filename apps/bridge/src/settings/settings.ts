/** Personal settings as one thing: config, provider keys, and the providers that follow from both. */
import { join } from 'node:path';
import type { PersonalConfig, SettingsPatch } from '@skein/core/config/personal';
import type { ProviderInfo, Settings } from '@skein/core/protocol/agents';
import { editConfigFile, type ReadConfig, readConfigFile } from './config-file.ts';
import { createCredentials } from './credentials.ts';
import { type ProviderEnvironments, type ResolvedProvider, resolveProviders } from './providers.ts';

export interface SettingsStore {
  readonly configFile: string;
  config(): Promise<ReadConfig>;
  /** Durable when it resolves. Faults: `busy`, `unreadable`, `io`; then nothing changed. */
  update(patch: SettingsPatch): Promise<ReadConfig>;
  /** The same for a patch that follows from what is there: nobody changes the file between reading and writing. */
  edit(change: (config: PersonalConfig) => SettingsPatch): Promise<ReadConfig>;
  providers(): Promise<readonly ResolvedProvider[]>;
  /** For agents only: the stored key, else the environment's; null when there is none. */
  getKey(provider: string): Promise<string | null>;
  setKey(provider: string, key: string | null): Promise<void>;
  /** Every key known here, for redaction. */
  secrets(): Promise<readonly string[]>;
  /** What the API answers: no key is in it. */
  describe(): Promise<Settings>;
}

export const openSettings = (options: {
  readonly configDir: string;
  readonly dataDir: string;
  readonly environment: ProviderEnvironments;
}): SettingsStore => {
  const configFile = join(options.configDir, 'config.json');
  const credentials = createCredentials(join(options.configDir, 'credentials.json'));
  const environmentKey = (provider: string): string | undefined =>
    Object.hasOwn(options.environment, provider) ? options.environment[provider]?.key : undefined;
  const resolve = async (config: PersonalConfig): Promise<readonly ResolvedProvider[]> =>
    resolveProviders({ config, environment: options.environment, stored: await credentials.providers() });

  return {
    configFile,
    config: () => readConfigFile(configFile),
    update: (patch) => editConfigFile(configFile, () => patch),
    edit: (change) => editConfigFile(configFile, change),
    providers: async () => resolve((await readConfigFile(configFile)).config),
    getKey: async (provider) => (await credentials.getKey(provider)) ?? environmentKey(provider) ?? null,
    setKey: credentials.setKey,
    secrets: async () => {
      const fromEnvironment = Object.values(options.environment).flatMap((one) => one.key ?? []);
      return [...(await credentials.secrets()), ...fromEnvironment];
    },
    async describe() {
      const { config, problems } = await readConfigFile(configFile);
      const providers = (await resolve(config)).map(toInfo);
      return { config, problems: [...problems], configFile, dataDir: options.dataDir, providers };
    },
  };
};

const toInfo = (provider: ResolvedProvider): ProviderInfo => ({
  id: provider.id,
  config: provider.config,
  key: provider.key,
  models: [...(provider.config.models ?? [])],
});

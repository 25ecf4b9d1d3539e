/**
 * Which model endpoints there are and where their keys come from. Pure: config, environment and the ids with a stored
 * key in; a list out. What the user wrote wins over the environment, and that over the preset.
 */
import type { PersonalConfig, ProviderConfig } from '@skein/core/config/personal';
import type { ProviderInfo } from '@skein/core/protocol/agents';

/** What the environment says of one provider; `config.ts` reads it. */
export interface ProviderEnvironment {
  readonly key: string | undefined;
  readonly baseUrl: string | undefined;
}
export type ProviderEnvironments = Readonly<Record<string, ProviderEnvironment>>;

export interface ResolvedProvider {
  readonly id: string;
  readonly config: ProviderConfig;
  readonly key: ProviderInfo['key'];
}

/** Endpoints that need no settings. The local ones are the defaults of their own documentation. */
export const PROVIDER_PRESETS: Readonly<Record<string, ProviderConfig>> = {
  anthropic: { kind: 'anthropic', title: 'Anthropic' },
  openai: { kind: 'openai', title: 'OpenAI' },
  google: { kind: 'google', title: 'Google' },
  ollama: { kind: 'openai-compatible', title: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  lmstudio: { kind: 'openai-compatible', title: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  vllm: { kind: 'openai-compatible', title: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1' },
};

export const resolveProviders = (sources: {
  readonly config: PersonalConfig;
  readonly environment: ProviderEnvironments;
  readonly stored: readonly string[];
}): readonly ResolvedProvider[] => {
  const own = sources.config.providers ?? {};
  const ids = new Set([...Object.keys(own), ...Object.keys(PROVIDER_PRESETS)]);
  return [...ids].map((id) => {
    const environment = Object.hasOwn(sources.environment, id) ? sources.environment[id] : undefined;
    const config = mergeConfig(PROVIDER_PRESETS[id], own[id], environment?.baseUrl);
    return { id, config, key: keySource(config, environment?.key, sources.stored.includes(id)) };
  });
};

const mergeConfig = (
  preset: ProviderConfig | undefined,
  own: ProviderConfig | undefined,
  environmentUrl: string | undefined,
): ProviderConfig => {
  const fromEnvironment =
    environmentUrl !== undefined && URL.canParse(environmentUrl) ? environmentUrl : undefined;
  const base: ProviderConfig = { kind: 'openai-compatible', ...preset };
  const baseUrl = own?.baseUrl ?? fromEnvironment ?? base.baseUrl;
  const merged: ProviderConfig = { ...base, ...own };
  if (baseUrl !== undefined) merged.baseUrl = baseUrl;
  // Another endpoint behind OPENAI_BASE_URL speaks chat completions, not OpenAI's own newer API.
  if (own === undefined && merged.kind === 'openai' && baseUrl !== undefined && !isOpenAi(baseUrl)) {
    merged.kind = 'openai-compatible';
  }
  return merged;
};

const isOpenAi = (url: string): boolean => new URL(url).hostname === 'api.openai.com';

const keySource = (
  config: ProviderConfig,
  environmentKey: string | undefined,
  stored: boolean,
): ProviderInfo['key'] => {
  if (stored) return 'file';
  if (environmentKey !== undefined) return 'environment';
  return config.kind === 'openai-compatible' && isNear(config.baseUrl) ? 'not_needed' : 'none';
};

/** This machine, or an address of a home or office network: model servers there rarely ask for a key. */
const isNear = (url: string | undefined): boolean => {
  if (url === undefined || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return (
    /^(localhost|\[::1\]|host\.docker\.internal)$/.test(hostname) ||
    /^(127|10)\.\d+\.\d+\.\d+$|^192\.168\.\d+\.\d+$|^172\.(1[6-9]|2\d|3[01])\.\d+\.\d+$/.test(hostname) ||
    hostname.endsWith('.local')
  );
};

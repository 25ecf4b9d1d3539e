/** Models offered for providers whose config lists none, best for coding first. A small help: any name may be typed. */
import type { ProviderConfig } from '@skein/core/config/personal';

export const KNOWN_MODELS: Readonly<Record<ProviderConfig['kind'], readonly string[]>> = {
  anthropic: ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-fable-5-1'],
  openai: ['gpt-6.1-sol', 'gpt-6-astra', 'gpt-6-luna', 'gpt-5.4'],
  google: ['gemini-3.1-pro-preview', 'gemini-3.8-flash', 'gemini-2.5-pro'],
  'openai-compatible': [],
};

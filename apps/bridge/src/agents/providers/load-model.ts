/**
 * Makes a model of the AI SDK from a provider's settings. The SDKs are loaded when first needed and get
 * address and key from us, always: left alone they would read the environment.
 */
import { BridgeError } from '@skein/core/protocol/errors';
import type { LanguageModel } from 'ai';
import type { ResolvedProvider } from '../driver.ts';
import type { LoopModel, ProviderOptions } from '../loop/model.ts';
import { priceOf } from '../prices.ts';
import { chooseModel } from './choose-model.ts';

/** Fault `no_provider`. Asks no network. */
export const loadModel = async (
  providers: readonly ResolvedProvider[],
  name: string | null,
): Promise<LoopModel> => {
  const { provider, model } = chooseModel(providers, name);
  const { kind } = provider.config;
  return {
    name: `${provider.id}/${model}`,
    model: await connect(provider, model),
    price: priceOf(provider.config, model),
    callOptions: kind === 'openai' ? OPENAI_OPTIONS : {},
    cacheMark: kind === 'anthropic' ? { anthropic: { cacheControl: { type: 'ephemeral' } } } : null,
    sendsUnsignedThinking: kind === 'openai-compatible',
    secret: provider.apiKey,
  };
};

/**
 * OpenAI is called through its Responses API: only there does reasoning survive from one step of a turn to
 * the next. Nothing is stored at OpenAI; the reasoning comes back encrypted and is sent along again.
 */
const OPENAI_OPTIONS: ProviderOptions = {
  openai: { store: false, include: ['reasoning.encrypted_content'] },
};

/** A server that wants no key is sent a word instead of one: the SDKs insist. */
const NO_KEY = 'none';

const connect = async (provider: ResolvedProvider, model: string): Promise<LanguageModel> => {
  const { kind, baseUrl } = provider.config;
  const apiKey = provider.apiKey ?? NO_KEY;
  switch (kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ apiKey, baseURL: baseUrl ?? 'https://api.anthropic.com/v1' })(model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey, baseURL: baseUrl ?? 'https://api.openai.com/v1' }).responses(model);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      const baseURL = baseUrl ?? 'https://generativelanguage.googleapis.com/v1beta';
      return createGoogle({ apiKey, baseURL })(model);
    }
    case 'openai-compatible':
      return connectCompatible(provider, model);
  }
};

const connectCompatible = async (provider: ResolvedProvider, model: string): Promise<LanguageModel> => {
  const { baseUrl } = provider.config;
  if (baseUrl === undefined) {
    throw new BridgeError(
      'no_provider',
      `The provider ${provider.id} needs a base URL. Add it in the settings.`,
    );
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const connection = createOpenAICompatible({
    name: provider.id,
    baseURL: baseUrl,
    includeUsage: true,
    ...(provider.apiKey === null ? {} : { apiKey: provider.apiKey }),
  });
  return connection.chatModel(model);
};

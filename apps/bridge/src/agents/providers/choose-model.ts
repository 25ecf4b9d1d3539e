/** Which provider and model a name like `anthropic/claude-opus-5-5` means. Pure. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { ResolvedProvider } from '../driver.ts';
import { KNOWN_MODELS } from './known-models.ts';

export interface ChosenModel {
  readonly provider: ResolvedProvider;
  /** As the endpoint names it; may hold slashes. */
  readonly model: string;
}

/** A local server needs no key; nor does one of the user's own that stands in for a provider. */
export const isUsable = ({ apiKey, config }: ResolvedProvider): boolean =>
  apiKey !== null || config.baseUrl !== undefined;

/** `provider/model` of every provider that can be asked now. */
export const offeredModels = (providers: readonly ResolvedProvider[]): readonly string[] =>
  providers.filter(isUsable).flatMap((provider) => {
    const models = provider.models.length > 0 ? provider.models : KNOWN_MODELS[provider.config.kind];
    return models.map((model) => `${provider.id}/${model}`);
  });

/** `name` null: the first model on offer. Fault `no_provider`, with what to do. */
export const chooseModel = (providers: readonly ResolvedProvider[], name: string | null): ChosenModel => {
  const wanted = name ?? offeredModels(providers)[0];
  if (wanted === undefined) {
    throw new BridgeError(
      'no_provider',
      'No model can be asked yet. Add a key for Anthropic, OpenAI or Google in the settings, or the models of a local server such as Ollama.',
    );
  }
  const slash = wanted.indexOf('/');
  const [id, model] = [wanted.slice(0, slash), wanted.slice(slash + 1)];
  const provider = providers.find((known) => known.id === id);
  if (slash < 1 || model === '' || provider === undefined) throw unknown(wanted, providers);
  if (!isUsable(provider)) {
    const title = provider.config.title ?? provider.id;
    throw new BridgeError('no_provider', `There is no key for ${title}. Add one in the settings.`, {
      data: { provider: provider.id },
    });
  }
  return { provider, model };
};

const unknown = (wanted: string, providers: readonly ResolvedProvider[]): BridgeError =>
  new BridgeError(
    'no_provider',
    `There is no model ${wanted}. A model is named provider/model; the providers are ${providers.map(({ id }) => id).join(', ')}.`,
    { data: { model: wanted } },
  );

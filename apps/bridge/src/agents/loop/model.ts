/** A model that the loop can call, resolved by `providers/` or made by `script/`. */
import type { LanguageModel } from 'ai';
import type { Price } from '../prices.ts';

export interface LoopModel {
  /** `provider/model`, as records and pickers name it. */
  readonly name: string;
  readonly model: LanguageModel;
  readonly price: Price | null;
  /** Sent with every call, by provider. */
  readonly callOptions: ProviderOptions;
  /** Put on the system prompt and the last message where a provider wants to be told what to cache. */
  readonly cacheMark: ProviderOptions | null;
  /** Whether thinking that carries no signature is sent back (plain OpenAI-compatible servers). */
  readonly sendsUnsignedThinking: boolean;
  /** Never shown: error texts are cleaned of it. */
  readonly secret: string | null;
}

/** The AI SDK's provider options and provider metadata: JSON by provider name. */
export type ProviderOptions = Record<string, Record<string, JsonValue>>;
export type JsonValue =
  | null
  | string
  | number
  | boolean
  | JsonValue[]
  | { [key: string]: JsonValue | undefined };

/**
 * Thinking signatures as records keep them: one string, the provider's bytes unchanged. Anthropic's stands
 * as it came; other providers need more than one value, so theirs is the JSON text of their metadata. A
 * signature that belongs to a tool call (Gemini) travels as an empty thinking part that names the call.
 */
import { z } from 'zod';
import type { ProviderOptions } from './model.ts';

export interface Signature {
  /** The call it belongs to, or null for the thinking itself. */
  readonly call: string | null;
  readonly metadata: ProviderOptions;
}

const jsonSchema = z.object({
  call: z.string().optional(),
  metadata: z.record(z.string(), z.record(z.string(), z.json())),
});

export const writeSignature = ({ call, metadata }: Signature): string => {
  const plain = metadata['anthropic']?.['signature'];
  const isPlain =
    call === null &&
    typeof plain === 'string' &&
    !plain.startsWith('{') &&
    JSON.stringify(metadata) === JSON.stringify(anthropic(plain));
  return isPlain ? plain : JSON.stringify({ ...(call === null ? {} : { call }), metadata });
};

/** Null when it is not one of ours: then the thinking is not sent back. */
export const readSignature = (text: string): Signature | null => {
  if (!text.startsWith('{')) return { call: null, metadata: anthropic(text) };
  const parsed = jsonSchema.safeParse(parseJson(text));
  if (!parsed.success) return null;
  return { call: parsed.data.call ?? null, metadata: parsed.data.metadata as ProviderOptions };
};

const anthropic = (signature: string): ProviderOptions => ({ anthropic: { signature } });

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

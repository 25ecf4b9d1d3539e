/** One assistant message for the wire: text, thinking with its signature, calls. See `conversation.ts`. */
import type { Content, Part } from '@skein/core/record/parts';
import type { AssistantModelMessage } from 'ai';
import { type CallNames, safeToolName } from './call-names.ts';
import type { Spoken } from './conversation.ts';
import type { ProviderOptions } from './model.ts';
import { readSignature } from './signature.ts';

type AssistantContent = Exclude<AssistantModelMessage['content'], string>;

interface Context {
  readonly model: string;
  readonly sendsUnsignedThinking: boolean;
  readonly textOf: (content: Content) => Promise<string>;
  readonly names: CallNames;
}

export const assistantContent = async (message: Spoken, context: Context): Promise<AssistantContent> => {
  // A signature is good for the model that made it and no other.
  const isSame = message.model === context.model;
  const signatures = isSame ? callSignatures(message.parts) : new Map<string, ProviderOptions>();
  const content: AssistantContent = [];
  for (const part of message.parts) {
    if (part.type === 'text') content.push(...(await said(part, context)));
    else if (part.type === 'thinking' && isSame) content.push(...(await thinking(part, context)));
    else if (part.type === 'tool_call') content.push(await called(part, signatures, context));
  }
  // Thinking alone is no message: providers want something to follow it.
  return content.some(({ type }) => type !== 'reasoning') ? content : [];
};

const said = async (part: Extract<Part, { type: 'text' }>, context: Context): Promise<AssistantContent> => {
  const text = await context.textOf(part.text);
  return text.trim() === '' ? [] : [{ type: 'text', text: text.toWellFormed() }];
};

const called = async (
  part: Extract<Part, { type: 'tool_call' }>,
  signatures: ReadonlyMap<string, ProviderOptions>,
  context: Context,
): Promise<AssistantContent[number]> => {
  const providerOptions = signatures.get(part.call);
  return {
    type: 'tool-call',
    toolCallId: context.names.add(part.call, part.name),
    toolName: safeToolName(part.name),
    input: await inputOf(part, context),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
};

const callSignatures = (parts: readonly Part[]): Map<string, ProviderOptions> => {
  const found = new Map<string, ProviderOptions>();
  for (const part of parts) {
    if (part.type !== 'thinking' || part.signature === undefined) continue;
    const signature = readSignature(part.signature);
    if (signature !== null && signature.call !== null) found.set(signature.call, signature.metadata);
  }
  return found;
};

const thinking = async (
  part: Extract<Part, { type: 'thinking' }>,
  context: Context,
): Promise<AssistantContent> => {
  if (part.signature === undefined) {
    const text = context.sendsUnsignedThinking ? await context.textOf(part.text) : '';
    return text === '' ? [] : [{ type: 'reasoning', text }];
  }
  const signature = readSignature(part.signature);
  if (signature === null || signature.call !== null) return [];
  return [{ type: 'reasoning', text: await context.textOf(part.text), providerOptions: signature.metadata }];
};

/** Providers take only objects; what a model said that was none is wrapped. */
const inputOf = async (part: Extract<Part, { type: 'tool_call' }>, context: Context): Promise<unknown> => {
  const input = part.inputSpill === undefined ? part.input : parseJson(await context.textOf(part.inputSpill));
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  return { malformed_input: typeof input === 'string' ? input : JSON.stringify(input) };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
};

/**
 * One model call while it streams: turns parts of the AI SDK into agent events and keeps what the message
 * will be. Whole calls are held back until the step is final, so that a call of a stream that breaks and is
 * tried again was never told.
 */
import type { Part } from '@skein/core/record/parts';
import type { AgentEvent } from '@skein/core/turn/agent-event';
import type { ProviderMetadata, TextStreamPart, ToolSet } from 'ai';
import { freeName } from './call-names.ts';
import type { ProviderOptions } from './model.ts';
import { writeSignature } from './signature.ts';

export interface DraftCall {
  readonly call: string;
  readonly name: string;
  readonly input: unknown;
}

export interface StepDraft {
  take(part: TextStreamPart<ToolSet>): readonly AgentEvent[];
  /** Tells the calls that were held back; call once, when the step is final. */
  finish(): readonly AgentEvent[];
  readonly calls: readonly DraftCall[];
  /** The message so far, in the order in which its events were told. */
  parts(): readonly Part[];
}

/** `usedCalls`: ids of this turn; a provider that repeats one gets another. */
export const openStepDraft = (usedCalls: Set<string>): StepDraft => {
  const blocks = new Map<string, { kind: 'text' | 'thinking'; text: string; signature?: string }>();
  const metadata = new Map<string, ProviderOptions>();
  const ids = new Map<string, { call: string; name: string }>();
  const calls: DraftCall[] = [];
  const held: AgentEvent[] = [];

  const idOf = (id: string, name: string): string => {
    const known = ids.get(id);
    if (known !== undefined) return known.call;
    const call = freeName(id === '' ? 'call' : id, usedCalls);
    usedCalls.add(call);
    ids.set(id, { call, name });
    return call;
  };
  const say = (kind: 'text' | 'thinking', id: string, text: string): readonly AgentEvent[] => {
    const block = `${kind}-${id}`;
    const known = blocks.get(block) ?? { kind, text: '' };
    blocks.set(block, { ...known, text: known.text + text });
    return text === '' ? [] : [{ type: kind, block, text }];
  };
  const sign = (block: string, signature: string): readonly AgentEvent[] => {
    blocks.set(block, { ...(blocks.get(block) ?? { kind: 'thinking', text: '' }), signature });
    return [{ type: 'thinking', block, text: '', signature }];
  };
  const endThinking = (id: string): readonly AgentEvent[] => {
    const known = metadata.get(id);
    return known === undefined ? [] : sign(`thinking-${id}`, writeSignature({ call: null, metadata: known }));
  };
  const addCall = (part: Extract<TextStreamPart<ToolSet>, { type: 'tool-call' }>): readonly AgentEvent[] => {
    const call = idOf(part.toolCallId, part.toolName);
    calls.push({ call, name: part.toolName, input: part.input });
    held.push({ type: 'tool_call', call, name: part.toolName, input: part.input });
    const signed = thoughtSignatures(part.providerMetadata);
    return signed === null ? [] : sign(`signature-${call}`, writeSignature({ call, metadata: signed }));
  };

  return {
    calls,
    take(part) {
      switch (part.type) {
        case 'text-delta':
          return say('text', part.id, part.text);
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          remember(metadata, part.id, part.providerMetadata);
          if (part.type === 'reasoning-end') return endThinking(part.id);
          return say('thinking', part.id, part.type === 'reasoning-delta' ? part.text : '');
        case 'tool-input-start':
          idOf(part.id, part.toolName);
          return [];
        case 'tool-input-delta': {
          const known = ids.get(part.id);
          return known === undefined ? [] : [{ type: 'tool_input', ...known, delta: part.delta }];
        }
        case 'tool-call':
          return addCall(part);
        default:
          return [];
      }
    },
    finish: () => held.splice(0),
    parts: () => [
      ...[...blocks.values()].flatMap(partOf),
      ...calls.map((call) => ({ type: 'tool_call' as const, ...call })),
    ],
  };
};

const partOf = (block: { kind: 'text' | 'thinking'; text: string; signature?: string }): Part[] => {
  if (block.kind === 'text') return block.text === '' ? [] : [{ type: 'text', text: block.text }];
  if (block.text === '' && block.signature === undefined) return [];
  const { text, signature } = block;
  return [{ type: 'thinking', text, ...(signature === undefined ? {} : { signature }) }];
};

/** What a provider says about one thinking block comes in pieces. */
const remember = (
  known: Map<string, ProviderOptions>,
  id: string,
  metadata: ProviderMetadata | undefined,
): void => {
  for (const [provider, values] of Object.entries(metadata ?? {})) {
    const before = known.get(id) ?? {};
    known.set(id, { ...before, [provider]: { ...before[provider], ...(values as ProviderOptions[string]) } });
  }
};

/** Gemini signs calls; other metadata of calls (item ids) is not needed to send them back. */
const thoughtSignatures = (metadata: ProviderMetadata | undefined): ProviderOptions | null => {
  const signed = Object.entries(metadata ?? {}).filter(
    ([, values]) => typeof values['thoughtSignature'] === 'string',
  );
  return signed.length === 0 ? null : (Object.fromEntries(signed) as ProviderOptions);
};

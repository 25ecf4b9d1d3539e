/** One model call while it streams: its blocks in the order in which they began. */
import { isWithinDepth, MAX_JSON_DEPTH } from '../record/json-depth.ts';
import type { Part } from '../record/parts.ts';
import type { RecordBody, Usage } from '../record/schema.ts';

export type StepBlock =
  | { readonly kind: 'text'; readonly block: string; readonly text: string }
  | {
      readonly kind: 'thinking';
      readonly block: string;
      readonly text: string;
      readonly signature: string | undefined;
    }
  /** `block` is the call's id. */
  | { readonly kind: 'call'; readonly block: string; readonly name: string; readonly input: unknown };

export interface OpenStep {
  readonly model: string | null;
  readonly blocks: readonly StepBlock[];
}

export interface StepEnd {
  readonly stop: 'end' | 'tool' | 'length' | 'aborted' | 'error';
  readonly usage?: Usage | undefined;
  readonly cost?: number | undefined;
  readonly error?: string | undefined;
}

/** What a record adds around an input: record, parts, part, input. */
const MAX_INPUT_DEPTH = MAX_JSON_DEPTH - 4;

export const openStep = (model: string | null): OpenStep => ({ model, blocks: [] });

export const addText = (step: OpenStep, delta: { readonly block: string; readonly text: string }): OpenStep =>
  addTo(step, { kind: 'text', ...pick(delta) }, (block) =>
    block.kind === 'text' ? { ...block, text: block.text + delta.text } : block,
  );

/** The signature arrives with the last delta, or alone; the last one counts. */
export const addThinking = (
  step: OpenStep,
  delta: { readonly block: string; readonly text: string; readonly signature?: string | undefined },
): OpenStep =>
  addTo(step, { kind: 'thinking', ...pick(delta), signature: delta.signature }, (block) =>
    block.kind === 'thinking'
      ? { ...block, text: block.text + delta.text, signature: delta.signature ?? block.signature }
      : block,
  );

export const addCall = (
  step: OpenStep,
  { call, name, input }: { readonly call: string; readonly name: string; readonly input: unknown },
): OpenStep => ({
  ...step,
  blocks: [...step.blocks, { kind: 'call', block: call, name, input }],
});

/** The assistant message of the step, or null when there is nothing to tell. */
export const stepMessage = (step: OpenStep, end: StepEnd): RecordBody | null => {
  const parts = step.blocks.flatMap(partOf);
  const isMute = end.usage === undefined && end.cost === undefined && end.error === undefined;
  if (parts.length === 0 && isMute) return null;
  return {
    kind: 'message',
    role: 'assistant',
    parts,
    ...(step.model === null ? {} : { model: step.model }),
    ...(end.usage === undefined ? {} : { usage: end.usage }),
    ...(end.cost === undefined ? {} : { cost: end.cost }),
    stop: end.stop,
    ...(end.error === undefined ? {} : { error: end.error }),
  };
};

/** A value that a line can hold. The tool has seen the input as it was; only the record lacks it. */
export const storableInput = (input: unknown): unknown => {
  if (input === undefined) return null;
  return isWithinDepth(input, MAX_INPUT_DEPTH) ? input : '(nested too deep to be kept)';
};

function pick({ block, text }: { readonly block: string; readonly text: string }) {
  return { block, text };
}

/** Blocks of the two kinds of text do not share names: a driver may number each kind for itself. */
function addTo(step: OpenStep, fresh: StepBlock, grow: (block: StepBlock) => StepBlock): OpenStep {
  // Streams add to the newest block nearly always.
  const index = step.blocks.findLastIndex(({ kind, block }) => kind === fresh.kind && block === fresh.block);
  const found = step.blocks[index];
  if (found === undefined) return { ...step, blocks: [...step.blocks, fresh] };
  return { ...step, blocks: step.blocks.with(index, grow(found)) };
}

/** Empty blocks are left out: providers refuse an empty text when it is sent back. */
function partOf(block: StepBlock): readonly Part[] {
  switch (block.kind) {
    case 'text':
      return block.text === '' ? [] : [{ type: 'text', text: block.text }];
    case 'thinking': {
      const { text, signature } = block;
      if (text === '' && signature === undefined) return [];
      return [{ type: 'thinking', text, ...(signature === undefined ? {} : { signature }) }];
    }
    case 'call':
      return [{ type: 'tool_call', call: block.block, name: block.name, input: block.input }];
  }
}

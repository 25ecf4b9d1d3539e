/**
 * Shows a turn while it runs: the agent's text on stdout as it streams, each tool call as one line on stderr.
 * Live pieces may be lost; the durable message that follows fills the gap, and nothing is printed twice.
 */
import type { Part } from '@skein/core/record/parts';
import type { PathRef } from '@skein/core/record/path-ref';
import { showPath } from '@skein/core/record/path-ref';
import type { StrandRecord } from '@skein/core/record/schema';
import type { LiveEvent } from '@skein/core/turn/agent-event';
import { describeCall, describeFailure } from './describe-call.ts';
import { missingText } from './missing-text.ts';
import type { Output } from './output.ts';
import { block, line } from './printable.ts';
import { cut } from './table.ts';

export interface TurnPrinter {
  live(event: LiveEvent): void;
  /** `textOf` of the message's parts is resolved by the caller, for long text lies outside the record. */
  record(record: StrandRecord, text: string): void;
  /** Ends an unfinished line. */
  rest(): void;
  /** Resolves when that call was shown. */
  shown(call: string): Promise<void>;
}

export const createTurnPrinter = (out: Output): TurnPrinter => {
  // Of the current step, as far as it was printed, and which block it ended in.
  let printed = '';
  let lastBlock: string | null = null;
  let isLineOpen = false;
  let hasText = false;
  const columns = out.columns - 4;
  const calls = new Map<string, PromiseWithResolvers<void>>();
  const callOf = (call: string): PromiseWithResolvers<void> => {
    const known = calls.get(call) ?? Promise.withResolvers<void>();
    calls.set(call, known);
    return known;
  };

  const write = (text: string): void => {
    if (text === '') return;
    // A blank line between two messages.
    if (printed === '' && hasText) out.stream(block('\n'));
    hasText = true;
    printed += text;
    isLineOpen = !text.endsWith('\n');
    out.stream(block(text));
  };
  const rest = (): void => {
    if (isLineOpen) out.stream(block('\n'));
    isLineOpen = false;
  };
  const note = (...args: Parameters<typeof line>): void => {
    rest();
    out.note(out.noteStyle.dim(line(...args)));
  };
  const parts = (list: readonly Part[]): void => {
    for (const part of list) {
      if (part.type === 'tool_call') {
        note`→ ${cut(describeCall(part.name, part.input), columns)}`;
        callOf(part.call).resolve();
      }
      if (part.type === 'tool_result' && part.status !== 'ok')
        note`  ✗ ${cut(describeFailure(part), columns)}`;
    }
  };
  return {
    live(event) {
      if (event.type === 'text') {
        if (lastBlock !== null && lastBlock !== event.block) write('\n');
        lastBlock = event.block;
        write(event.text);
      }
      if (event.type === 'catch_up') {
        const blocks = event.blocks.filter(({ kind }) => kind === 'text');
        write(missingText(printed, blocks.map(({ text }) => text).join('\n')));
        lastBlock = blocks.at(-1)?.block ?? lastBlock;
      }
      if (event.type === 'retry')
        note`… ${cut(`${event.message}; trying again (${event.attempt})`, columns)}`;
    },
    record(record, text) {
      if (record.kind !== 'message') return;
      if (record.role === 'assistant') {
        write(missingText(printed, text));
        rest();
        printed = '';
        lastBlock = null;
      }
      parts(record.parts);
    },
    rest,
    shown: (call) => callOf(call).promise,
  };
};

/** How a changed file is listed. */
export const fileLine = (file: {
  readonly path: PathRef;
  readonly status: string;
  readonly added: number | null;
  readonly removed: number | null;
}): string => {
  const counts = file.added === null || file.removed === null ? '' : `  +${file.added} -${file.removed}`;
  return `${file.status.padEnd(8)}  ${showPath(file.path)}${counts}`;
};

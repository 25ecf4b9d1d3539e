/**
 * One reader of one strand's signals. Bound: 1024 signals and 4 MiB of live text. At the bound the live deltas go,
 * `dropped` says so, and one `grew` stays when the file grew meanwhile: the reader loses no record.
 */
import { createReaderQueue } from './reader-queue.ts';
import type { StrandSignal } from './types.ts';

export const MAX_SIGNALS = 1024;
export const MAX_LIVE_CHARS = 4 * 1024 * 1024;

export interface StrandReader {
  push(signal: StrandSignal): void;
  iterate(): AsyncIterableIterator<StrandSignal>;
}

export const createStrandReader = (signal: AbortSignal, onClose: () => void): StrandReader => {
  let queue: StrandSignal[] = [];
  /** Index of the next signal in `queue`: taking from the front must not move the rest. */
  let head = 0;
  let chars = 0;

  const take = (): StrandSignal | undefined => {
    const item = queue[head];
    if (item === undefined) return undefined;
    head += 1;
    chars -= charsOf(item);
    if (head === queue.length) {
      queue = [];
      head = 0;
    }
    return item;
  };
  const reader = createReaderQueue({
    take,
    signal,
    onClose: () => {
      queue = [];
      head = 0;
      onClose();
    },
  });

  const dropLive = (): void => {
    const grew = queue.slice(head).some((item) => item.type === 'grew');
    queue = grew ? [{ type: 'dropped' }, { type: 'grew' }] : [{ type: 'dropped' }];
    head = 0;
    chars = 0;
  };

  return {
    push(item) {
      if (item.type === 'grew' && queue.length > head && queue.at(-1)?.type === 'grew') return;
      if (queue.length - head >= MAX_SIGNALS || chars + charsOf(item) > MAX_LIVE_CHARS) dropLive();
      if (item.type === 'grew' && queue.at(-1)?.type === 'grew') return;
      if (charsOf(item) > MAX_LIVE_CHARS) return;
      queue.push(item);
      chars += charsOf(item);
      reader.wake();
    },
    iterate: reader.iterate,
  };
};

/** Length of the texts in a live delta, one level deep, where all long ones lie. */
const charsOf = (item: StrandSignal): number => {
  if (item.type !== 'live') return 0;
  if (item.event.type === 'catch_up') {
    const blocks = item.event.blocks.reduce((sum, block) => sum + block.text.length, 0);
    return item.event.calls.reduce((sum, call) => sum + call.input.length + call.output.length, blocks);
  }
  let chars = 0;
  for (const value of Object.values(item.event)) if (typeof value === 'string') chars += value.length;
  return chars;
};

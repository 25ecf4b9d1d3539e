/**
 * The event hub: publishing is a loop over the readers' queues and never waits. A reader is subscribed from the
 * call of `follow…` on, so that what happens before its first `next()` is not lost (subscribe, then snapshot);
 * it goes when its signal aborts or its loop is left.
 */
import type { GlobalEvent } from '@skein/core/protocol/events';
import type { StrandId } from '@skein/core/record/ids';
import { createGlobalReader, type GlobalReader } from './global-reader.ts';
import { createStrandReader, type StrandReader } from './strand-reader.ts';
import type { EventHub, StrandSignal } from './types.ts';

export interface CountingEventHub extends EventHub {
  /** Readers now subscribed, for `doctor` and tests. */
  readerCount(): number;
}

export const createEventHub = (): CountingEventHub => {
  const strands = new Map<StrandId, Set<StrandReader>>();
  const globals = new Set<GlobalReader>();

  const publish = (strand: StrandId, signal: StrandSignal): void => {
    for (const reader of strands.get(strand) ?? []) reader.push(signal);
  };
  const leave = (strand: StrandId, reader: StrandReader): void => {
    const readers = strands.get(strand);
    readers?.delete(reader);
    if (readers?.size === 0) strands.delete(strand);
  };

  return {
    strandGrew: (strand) => publish(strand, { type: 'grew' }),
    live: (strand, live) => publish(strand, { type: 'live', ...live }),
    global: (event) => {
      for (const reader of globals) reader.push(event);
    },
    followStrand: (strand, signal) => {
      const reader: StrandReader = createStrandReader(signal, () => leave(strand, reader));
      if (!signal.aborted) strands.set(strand, (strands.get(strand) ?? new Set()).add(reader));
      return reader.iterate();
    },
    followGlobal: (signal): AsyncIterableIterator<GlobalEvent> => {
      const reader: GlobalReader = createGlobalReader(signal, () => globals.delete(reader));
      if (!signal.aborted) globals.add(reader);
      return reader.iterate();
    },
    readerCount: () => [...strands.values()].reduce((sum, readers) => sum + readers.size, globals.size),
  };
};

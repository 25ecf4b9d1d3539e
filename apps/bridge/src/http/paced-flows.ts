/**
 * Subscriptions of one socket go as fast as the socket: before each event the pace is asked. What waits meanwhile
 * waits in the hub's bounded queue, where live deltas are dropped first; a turn never waits for a reader.
 */
import type { Flows } from '../api/flows.ts';

/** Resolves when more may be written, or when the reader is gone. */
export type Pace = () => Promise<void>;

export const pacedFlows = (flows: Flows, pace: Pace): Flows => ({
  ...flows,
  events: {
    strand: (input, signal) => paced(flows.events.strand(input, signal), pace),
    all: (signal) => paced(flows.events.all(signal), pace),
  },
});

async function* paced<T>(source: AsyncIterable<T>, pace: Pace): AsyncIterable<T> {
  for await (const item of source) {
    yield item;
    await pace();
  }
}

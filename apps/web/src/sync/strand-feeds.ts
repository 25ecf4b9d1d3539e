/** The open sessions. Only the last few stay in step; an older one is read anew when its tab is shown again. */
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import { StrandFeed, type StrandSource } from './strand-feed.ts';

const HOT = 4;

export interface StrandFeeds {
  /** Marks it as used last. */
  readonly open: (id: StrandId) => StrandFeed;
  readonly tell: (summaries: ReadonlyMap<StrandId, StrandSummary>) => void;
  readonly close: () => void;
}

export function createStrandFeeds(source: StrandSource): StrandFeeds {
  /** In order of last use. */
  const feeds = new Map<StrandId, StrandFeed>();
  let known: ReadonlyMap<StrandId, StrandSummary> = new Map();
  const tell = (feed: StrandFeed) => {
    const summary = known.get(feed.id);
    if (summary !== undefined) feed.setSummary(summary);
  };
  return {
    open: (id) => {
      const feed = feeds.get(id) ?? new StrandFeed(id, source);
      feeds.delete(id);
      feeds.set(id, feed);
      tell(feed);
      for (const [other, old] of feeds) {
        if (feeds.size <= HOT) break;
        old.close();
        feeds.delete(other);
      }
      return feed;
    },
    tell: (summaries) => {
      known = summaries;
      for (const feed of feeds.values()) tell(feed);
    },
    close: () => {
      for (const feed of feeds.values()) feed.close();
      feeds.clear();
    },
  };
}

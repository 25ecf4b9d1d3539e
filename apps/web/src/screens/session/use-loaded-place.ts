import { useEffect, useRef, useState } from 'react';
import type { Place } from '../../state/places.ts';
import type { StrandFeed, StrandView } from '../../sync/strand-feed.ts';

/** So far back a place is looked for before the end is shown instead. */
const MAX_STRETCHES = 10;

/**
 * Reads older stretches until the wanted row is there. Null: still reading. The place counts once, when the
 * session opens.
 */
export function useLoadedPlace(feed: StrandFeed, view: StrandView, wanted: Place): Place | null {
  const [first] = useState(wanted);
  const [done, setDone] = useState<Place | null>(first === 'end' ? first : null);
  const tries = useRef(0);
  useEffect(() => {
    if (done !== null || first === 'end' || view.status !== 'open' || view.loadingOlder) return;
    if (view.blocks.some((block) => block.id === first.id)) setDone(first);
    else if (!view.hasOlder || view.problem !== null || tries.current >= MAX_STRETCHES) setDone('end');
    else {
      tries.current += 1;
      feed.loadOlder();
    }
  }, [done, feed, first, view]);
  return done;
}

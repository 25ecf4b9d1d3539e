import type { GlobalEvent } from '@skein/core/protocol/events';
import type { StrandSummary } from '@skein/core/protocol/strands';
import { useEffect, useState } from 'react';
import { isAtWork } from '../../state/at-work.ts';
import { titleOf } from '../../state/hooks.ts';
import { useWorkbench } from '../../state/workbench.ts';
import type { World } from '../../state/world.ts';

/** Says what happened to people who cannot see it. */
export function Announcer() {
  const { feed } = useWorkbench();
  const [said, setSaid] = useState('');
  useEffect(
    () =>
      feed.onEvents((events, before) => {
        const words = events.flatMap((event) => wordsOf(event, before));
        if (words.length > 0) setSaid(words.join(' '));
      }),
    [feed],
  );
  return (
    <div aria-live="polite" className="sr-only">
      {said}
    </div>
  );
}

function wordsOf(event: GlobalEvent, before: World): readonly string[] {
  if (event.type === 'permission') {
    return [`${titleOf(before.strands.get(event.request.strand))} waits for you: ${event.request.title}.`];
  }
  if (event.type !== 'strand') return [];
  const was = before.strands.get(event.summary.id);
  return was !== undefined && isAtWork(was) && !isAtWork(event.summary) ? [endOf(event.summary)] : [];
}

function endOf(summary: StrandSummary): string {
  const title = titleOf(summary);
  if (summary.state === 'failed') return `The turn failed in ${title}.`;
  if (summary.state === 'interrupted') return `The turn was interrupted in ${title}.`;
  return `Turn finished in ${title}.`;
}

/** What components read of the workbench. */

import type { StrandSummary } from '@skein/core/protocol/strands';
import type { PermissionRequest, QueuedPrompt } from '@skein/core/protocol/turns';
import type { StrandId } from '@skein/core/record/ids';
import type { StateKind } from '@skein/ui/primitives/state-dot';
import { useEffect, useMemo, useState } from 'react';
import type { StrandFeed } from '../sync/strand-feed.ts';
import type { Route } from './route.ts';
import { useSelected, useStore } from './store.ts';
import { useWorkbench } from './workbench.ts';
import type { World } from './world.ts';

export function useWorld<T>(select: (world: World) => T): T {
  return useSelected(useWorkbench().feed.world, select);
}

export function useRoute(): Route {
  return useStore(useWorkbench().router.route);
}

export function useSummary(strand: StrandId): StrandSummary | undefined {
  return useWorld((world) => world.strands.get(strand));
}

const NO_QUEUE: readonly QueuedPrompt[] = [];

export function useQueue(strand: StrandId): readonly QueuedPrompt[] {
  return useWorld((world) => world.queues[strand] ?? NO_QUEUE);
}

export function usePermissions(strand: StrandId): readonly PermissionRequest[] {
  const all = useWorld((world) => world.permissions);
  return useMemo(() => all.filter((request) => request.strand === strand), [all, strand]);
}

/** Keeps the session in step while it is shown. */
export function useStrandFeed(strand: StrandId): StrandFeed {
  const { strands } = useWorkbench();
  // Opening is idempotent and marks the feed as used last, so it may run again at any render.
  return useMemo(() => strands.open(strand), [strands, strand]);
}

/** The title as the sidebar, the tab and the window show it. */
export function titleOf(summary: StrandSummary | undefined): string {
  if (summary === undefined) return 'Session';
  return summary.name ?? (summary.title === '' ? 'New session' : summary.title);
}

export function stateKindOf(summary: StrandSummary | undefined): StateKind {
  if (summary === undefined) return 'idle';
  if (summary.state === 'idle' && summary.readOnly !== null) return 'readonly';
  return summary.state;
}

/** The time, now and then, for what says "2 min ago". */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export function useMedia(query: string): boolean {
  const [list] = useState(() => window.matchMedia(query));
  const [store] = useState(() => ({
    get: () => list.matches,
    subscribe: (listener: () => void) => {
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
  }));
  return useStore(store);
}

/** Sessions of other agents that are open here: the world knows only our own. */
import type { ForeignSession } from '@skein/core/protocol/history';
import type { StrandId } from '@skein/core/record/ids';
import { useQueries } from '@tanstack/react-query';
import { useWorld } from './hooks.ts';
import { useWorkbench } from './workbench.ts';

const STALE_MS = 60_000;

/** In the order of `ids`; null for our own, and for what nobody knows. */
export function useForeignSessions(ids: readonly StrandId[]): readonly (ForeignSession | null)[] {
  const { bridge } = useWorkbench();
  const isReady = useWorld((world) => world.ready);
  const strands = useWorld((world) => world.strands);
  return useQueries({
    queries: ids.map((session) =>
      bridge.trpc.history.open.queryOptions(
        { session },
        { enabled: isReady && !strands.has(session), staleTime: STALE_MS, retry: false },
      ),
    ),
    combine: (answers) => answers.map(({ data }) => data?.session ?? null),
  });
}

export function useForeignSession(id: StrandId | null): ForeignSession | null {
  return useForeignSessions(id === null ? [] : [id])[0] ?? null;
}

export const foreignTitle = ({ title }: ForeignSession): string => (title === '' ? 'No prompt' : title);

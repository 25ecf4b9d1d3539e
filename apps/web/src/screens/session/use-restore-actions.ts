import type { ActionState } from '@skein/core/protocol/restore';
import type { StrandId } from '@skein/core/record/ids';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSummary } from '../../state/hooks.ts';
import { useWorkbench } from '../../state/workbench.ts';

const SETTLE_MS = 150;

/**
 * What undo and redo may do now, always as the bridge says and never guessed. Asked anew when the session
 * got records or changed its state.
 */
export function useRestoreActions(strand: StrandId, records: number): ActionState | null {
  const { bridge } = useWorkbench();
  const { trpc, queries } = bridge;
  const state = useSummary(strand)?.state;
  const actions = useQuery(trpc.restore.actions.queryOptions({ strand }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: records and state are what it is asked anew for
  useEffect(() => {
    const timer = setTimeout(() => {
      queries.invalidateQueries(trpc.restore.actions.queryFilter({ strand })).catch(reportError);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [strand, records, state, queries, trpc]);
  return actions.data ?? null;
}

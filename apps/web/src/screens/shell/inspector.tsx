import type { TurnBlock } from '@skein/core/document/blocks';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import { Icon } from '@skein/ui/primitives/icon';
import { IconButton } from '@skein/ui/primitives/icon-button';
import { ChangesPanel } from '@skein/ui/restore/changes-panel';
import { useQuery } from '@tanstack/react-query';
import { ChevronLeft } from 'lucide-react';
import { useMemo } from 'react';
import { problemOf } from '../../bridge/problem.ts';
import { useStrandFeed } from '../../state/hooks.ts';
import { useStore } from '../../state/store.ts';
import { sentenceOf, useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import type { StrandView } from '../../sync/strand-feed.ts';
import { useRestoreActions } from '../session/use-restore-actions.ts';
import { redoOf, undoOf } from '../session/use-transcript-services.ts';

/** What one turn or the whole session changed. */
export function Inspector({ strand }: { readonly strand: StrandId }) {
  const { ui, bridge } = useWorkbench();
  const view = useStore(useStrandFeed(strand).view);
  const actions = useRestoreActions(strand, view.records);
  const sayProblem = useSayProblem();
  const turns = useChangingTurns(view);
  const chosen = useStore(ui.inspected)[strand];
  const turn = chosen === undefined ? (turns.at(-1)?.turn ?? null) : (chosen as TurnId | null);
  const diff = useDiff(strand, turn, view);
  const operations = useOperations(strand, view);
  return (
    <ChangesPanel
      turns={turns}
      turn={turn}
      onTurn={(next) => ui.inspect(strand, next)}
      diff={diff.data ?? null}
      loading={diff.isPending}
      problem={diff.isError ? sentenceOf(problemOf(diff.error)) : null}
      onRetry={() => {
        diff.refetch().catch(reportError);
      }}
      actionState={actions}
      onUndo={(target) => ui.open({ kind: 'restore', request: undoOf(strand, target, actions) })}
      onRedo={(op) => ui.open({ kind: 'restore', request: redoOf(strand, op, actions) })}
      operations={operations.data?.operations ?? null}
      openFile={(path) => {
        bridge.api.files.openInEditor.mutate({ strand, path }).catch(sayProblem);
      }}
    />
  );
}

/** On a phone the changes are a page of their own, with a way back. */
export function InspectorPage({ strand }: { readonly strand: StrandId }) {
  const { ui } = useWorkbench();
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-11 items-center gap-1 border-line border-b bg-sunken px-1">
        <IconButton
          label="Back to the session"
          icon={<Icon of={ChevronLeft} />}
          onClick={() => ui.showNarrow('session')}
        />
        <span className="font-medium">Changes</span>
      </div>
      <Inspector strand={strand} />
    </main>
  );
}

const NONE: readonly TurnBlock[] = [];

/** The same list as long as the same turns changed files: text that streams makes no new one. */
function useChangingTurns({ blocks, records }: StrandView): readonly TurnBlock[] {
  // biome-ignore lint/correctness/useExhaustiveDependencies: files change with records only, not with live text
  return useMemo(() => {
    const found = blocks.flatMap((block) => (block.kind === 'turn' && block.files.length > 0 ? [block] : []));
    return found.length === 0 ? NONE : found;
  }, [records, blocks.length]);
}

function useOperations(strand: StrandId, { state }: StrandView) {
  const { api } = useWorkbench().bridge;
  return useQuery({
    queryKey: ['operations', strand, state?.restores.length ?? 0],
    queryFn: () => api.restore.operations.query({ strand }),
    placeholderData: (previous) => previous,
  });
}

/** A turn's diff never changes; that of the session grows with each settled turn and each undo. */
function useDiff(strand: StrandId, turn: TurnId | null, { state }: StrandView) {
  const { api } = useWorkbench().bridge;
  const settled = state === null ? 0 : state.turnRecords.size + state.restores.length;
  return useQuery({
    queryKey: ['diff', strand, turn, turn === null ? settled : 0],
    queryFn: () => api.restore.diff.query(turn === null ? { strand } : { strand, turn }),
    staleTime: Number.POSITIVE_INFINITY,
    // What is shown stays until the newer one is there, but never that of another turn.
    placeholderData: (previous, query) => (query?.queryKey[2] === turn ? previous : undefined),
  });
}

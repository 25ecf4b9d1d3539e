import type { RestoreRequest } from '@skein/core/protocol/restore';
import { isPart } from '@skein/ui/restore/selection.ts';
import { UndoDialog } from '@skein/ui/restore/undo-dialog';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { useRestoreFlow } from './use-restore-flow.ts';
import { useTurnNumbers } from './use-turn-numbers.ts';

/** Undo or redo: look first, then apply. */
export function RestoreOverlay({ request }: { readonly request: RestoreRequest }) {
  const { ui, bridge } = useWorkbench();
  const sayProblem = useSayProblem();
  const flow = useRestoreFlow(request, ui.closeOverlay);
  const { strand, direction, scope, turn, to, op } = flow.request;
  const numberOf = useTurnNumbers(strand);
  // A single turn further up, or an operation of before, gives back its files only.
  const isFixed =
    turn !== undefined ||
    to !== undefined ||
    isPart(flow.selection) ||
    (op !== undefined && scope === 'files');
  const { problem } = flow;
  return (
    <UndoDialog
      open
      onOpenChange={ui.closeOverlay}
      direction={direction}
      title={to === undefined ? undefined : `Restore files to the end of turn ${numberOf(to) ?? ''}`.trim()}
      scope={scope}
      onScope={isFixed ? undefined : (next) => flow.change({ ...flow.request, scope: next })}
      preview={flow.preview}
      chosen={flow.chosen}
      selection={flow.selection}
      onSelect={flow.select}
      numberOf={numberOf}
      loading={flow.isLoading}
      applying={flow.isApplying}
      stale={flow.isStale}
      problem={
        problem === null
          ? null
          : { happened: problem.message, kept: flow.kept, next: problem.next, details: problem.details }
      }
      onLookAgain={flow.lookAgain}
      onApply={flow.apply}
      openFile={(path) => {
        bridge.api.files.openInEditor.mutate({ strand, path }).catch(sayProblem);
      }}
    />
  );
}

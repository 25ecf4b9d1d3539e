import type { RestoreRequest } from '@skein/core/protocol/restore';
import { UndoDialog } from '@skein/ui/restore/undo-dialog';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { useRestoreFlow } from './use-restore-flow.ts';

/** Undo or redo: look first, then apply. */
export function RestoreOverlay({ request }: { readonly request: RestoreRequest }) {
  const { ui, bridge } = useWorkbench();
  const sayProblem = useSayProblem();
  const flow = useRestoreFlow(request, ui.closeOverlay);
  const { strand, direction, scope, turn, op } = flow.request;
  // A single turn further up, or an operation of before, gives back its files only.
  const isFixed = turn !== undefined || (op !== undefined && scope === 'files');
  const { problem } = flow;
  return (
    <UndoDialog
      open
      onOpenChange={ui.closeOverlay}
      direction={direction}
      scope={scope}
      onScope={isFixed ? undefined : (next) => flow.change({ ...flow.request, scope: next })}
      preview={flow.preview}
      loading={flow.isLoading}
      applying={flow.isApplying}
      stale={flow.isStale}
      problem={
        problem === null ? null : { happened: problem.message, next: problem.next, details: problem.details }
      }
      onLookAgain={flow.lookAgain}
      onApply={flow.apply}
      openFile={(path) => {
        bridge.api.files.openInEditor.mutate({ strand, path }).catch(sayProblem);
      }}
    />
  );
}

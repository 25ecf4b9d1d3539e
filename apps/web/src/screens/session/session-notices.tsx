import type { StrandId } from '@skein/core/record/ids';
import { unacceptedLines } from '@skein/core/strand/state';
import { Button } from '@skein/ui/primitives/button';
import { RecoveryNotice } from '@skein/ui/strand/recovery-notice';
import { StrandBanner } from '@skein/ui/strand/strand-banner';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSummary, useWorld } from '../../state/hooks.ts';
import { useStore } from '../../state/store.ts';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import type { StrandView } from '../../sync/strand-feed.ts';
import { ProblemBox } from '../problem-box.tsx';

export interface SessionNoticesProps {
  readonly strand: StrandId;
  readonly view: StrandView;
  readonly onRetry: () => void;
}

/** Above the transcript: read-only, lines that cannot be read, what was settled after a crash, a failed reading. */
export function SessionNotices({ strand, view, onRetry }: SessionNoticesProps) {
  const { bridge } = useWorkbench();
  const sayProblem = useSayProblem();
  const summary = useSummary(strand);
  const accept = useMutation(
    bridge.trpc.strands.acceptBadLines.mutationOptions({ onSuccess: onRetry, onError: sayProblem }),
  );
  const { state, problem } = view;
  const newer = state === null ? 0 : [...state.unknownKinds.values()].reduce((sum, count) => sum + count, 0);
  return (
    <>
      <StrandBanner
        readOnly={summary?.readOnly ?? state?.readOnly ?? null}
        badLines={state === null ? 0 : unacceptedLines(state).length}
        newerRecords={newer}
        onAcceptBadLines={() => accept.mutate({ strand })}
        accepting={accept.isPending}
      />
      <Recoveries strand={strand} />
      {view.status === 'open' && problem !== null && problem.code !== 'offline' && (
        <div className="px-4 pt-2">
          <ProblemBox
            problem={problem}
            kept="What is on the screen stays."
            actions={
              <Button size="sm" onClick={onRetry}>
                Read again
              </Button>
            }
          />
        </div>
      )}
    </>
  );
}

function Recoveries({ strand }: { readonly strand: StrandId }) {
  const { ui, bridge } = useWorkbench();
  const sayProblem = useSayProblem();
  const all = useWorld((world) => world.recoveries);
  const dismissed = useStore(ui.dismissed);
  const reports = useMemo(
    () => all.filter((report) => report.strand === strand && !dismissed.has(report.op)),
    [all, dismissed, strand],
  );
  const open = (path: string) => {
    bridge.api.files.openInEditor.mutate({ strand, path }).catch(sayProblem);
  };
  return reports.map((report) => (
    <div key={report.op} className="px-4 pt-2">
      <RecoveryNotice report={report} onDismiss={() => ui.dismiss(report.op)} openFile={open} />
    </div>
  ));
}

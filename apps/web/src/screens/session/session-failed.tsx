import type { StrandId } from '@skein/core/record/ids';
import { Button } from '@skein/ui/primitives/button';
import { EmptyState } from '@skein/ui/primitives/empty-state';
import type { Problem } from '../../bridge/problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { ProblemBox } from '../problem-box.tsx';

export interface SessionFailedProps {
  readonly strand: StrandId;
  readonly problem: Problem;
  readonly onRetry: () => void;
}

/** The session is not there, or cannot be read. */
export function SessionFailed({ strand, problem, onRetry }: SessionFailedProps) {
  const { closeTab } = useWorkbench();
  if (problem.code === 'not_found') {
    return (
      <div className="min-h-0 flex-1">
        <h1 className="sr-only">Session not found</h1>
        <EmptyState
          title="This session is not on this machine"
          text={`No session is called ${strand.slice(0, 8)}. The link may be of another machine or data directory.`}
          action={<Button onClick={() => closeTab(strand)}>Close the tab</Button>}
        />
      </div>
    );
  }
  return (
    <div className="mx-auto w-full max-w-2xl flex-1 px-6 py-12">
      <h1 className="sr-only">Session cannot be shown</h1>
      <ProblemBox
        problem={problem}
        kept="The session's file was not changed."
        actions={
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        }
      />
    </div>
  );
}

import type { ForeignSession } from '@skein/core/protocol/history';
import { Button } from '@skein/ui/primitives/button';
import { agentName } from '@skein/ui/search/history-row';
import { useMutation } from '@tanstack/react-query';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';

/** In the place of the composer: a session of another agent is never written to, but it can go on here. */
export function ContinueBar({ session }: { readonly session: ForeignSession }) {
  const { bridge, openStrand } = useWorkbench();
  const sayProblem = useSayProblem();
  const goOn = useMutation(
    bridge.trpc.history.continue.mutationOptions({
      onSuccess: ({ id }) => openStrand(id),
      onError: sayProblem,
    }),
  );
  return (
    <div className="border-line border-t px-3 pt-2 pb-3 md:px-6">
      <div className="mx-auto flex w-full max-w-220 flex-wrap items-center gap-3">
        <p className="min-w-48 flex-1 text-pretty text-fg-2">
          {`A session of ${agentName(session.agent)}: read-only here, live while that agent works.`}
        </p>
        <Button
          variant="primary"
          disabled={goOn.isPending}
          onClick={() => goOn.mutate({ session: session.id })}
        >
          {goOn.isPending ? 'Preparing…' : 'Go on with it here'}
        </Button>
      </div>
    </div>
  );
}

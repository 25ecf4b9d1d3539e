import { formatAgo } from '@skein/ui/format.ts';
import { Badge } from '@skein/ui/primitives/badge';
import { Button } from '@skein/ui/primitives/button';
import { Skeleton } from '@skein/ui/primitives/skeleton';
import { useMutation, useQuery } from '@tanstack/react-query';
import { problemOf } from '../../bridge/problem.ts';
import { useNow } from '../../state/hooks.ts';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { ProblemBox } from '../problem-box.tsx';
import { Section } from './section.tsx';

/** The browsers that may talk to this bridge. */
export function KeysSection() {
  const { bridge } = useWorkbench();
  const sayProblem = useSayProblem();
  const now = useNow(60_000).getTime();
  const keys = useQuery(bridge.trpc.settings.browserKeys.queryOptions());
  const again = () => {
    keys.refetch().catch(reportError);
  };
  const revoke = useMutation(
    bridge.trpc.settings.revokeKey.mutationOptions({ onSuccess: again, onError: sayProblem }),
  );
  return (
    <Section
      title="Browsers"
      text="Each has a key of its own. A removed one is signed out at once and needs a new link."
    >
      {keys.isPending && <Skeleton label="Keys are loading" rows={2} />}
      {keys.isError && <ProblemBox problem={problemOf(keys.error)} kept="No key was changed." />}
      <ul className="divide-y divide-line rounded-panel border border-line bg-raised empty:hidden">
        {keys.data?.map((key) => (
          <li key={key.id} className="flex items-center gap-2 px-3 py-1.5">
            <span className="min-w-0 flex-1">
              <span className="font-medium">{key.label === '' ? 'Browser' : key.label}</span>{' '}
              {key.current && <Badge tone="accent">this browser</Badge>}
              <span className="block text-fg-3 text-meta">
                {`paired ${formatAgo(key.createdAt, now)}, used ${formatAgo(key.lastUsedAt, now)}`}
              </span>
            </span>
            <Button
              size="sm"
              variant="danger"
              disabled={revoke.isPending}
              onClick={() => revoke.mutate({ id: key.id })}
            >
              {key.current ? 'Sign out' : 'Remove'}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

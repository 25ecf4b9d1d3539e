import type { AgentInfo } from '@skein/core/protocol/agents';
import { formatCount } from '@skein/ui/format.ts';
import { Badge } from '@skein/ui/primitives/badge';
import { Button } from '@skein/ui/primitives/button';
import { agentName } from '@skein/ui/search/history-row';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';

/** Nothing is here yet: which agents this machine has, and something to try at once. */
export function FirstRun({ agents }: { readonly agents: readonly AgentInfo[] }) {
  const { router } = useWorkbench();
  const hasModel = agents.some(({ name, available }) => available && name !== 'script');
  return (
    <section
      aria-labelledby="first-run"
      className="flex flex-col gap-3 rounded-panel border border-line bg-sunken p-3"
    >
      <div>
        <h2 id="first-run" className="font-semibold">
          Try it first
        </h2>
        <p className="text-pretty text-fg-2">
          The demo makes a small project in a folder of its own, lets a scripted agent change it, and shows
          how every change can be taken back. No key needed.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <DemoButton variant={hasModel ? 'default' : 'primary'} />
        {!hasModel && (
          <Button onClick={() => router.go({ kind: 'settings' })}>Add a provider for your own work</Button>
        )}
      </div>
      <FoundSessions />
      <ul className="divide-y divide-line border-line border-t">
        {agents.map(({ name, title, available, reason }) => (
          <li key={name} className="flex items-center gap-2 py-1.5">
            <span className="font-medium">{title}</span>
            <span className="min-w-0 flex-1 truncate text-fg-3">{reason}</span>
            <Badge tone={available ? 'add' : 'neutral'}>{available ? 'ready' : 'not ready'}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What other agents left on this machine. */
function FoundSessions() {
  const { bridge, router } = useWorkbench();
  const list = useQuery(bridge.trpc.history.list.queryOptions({ limit: 1 }));
  const agents = list.data?.agents ?? [];
  if (agents.length === 0) return null;
  const words = agents
    .map(({ agent, sessions }) => `${formatCount(sessions)} of ${agentName(agent)}`)
    .join(', ');
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-t pt-3">
      <p className="min-w-48 flex-1 text-pretty">{`Sessions found on this machine: ${words}.`}</p>
      <Button onClick={() => router.go({ kind: 'history' })}>Look at them</Button>
    </div>
  );
}

/** Starts the demo and opens it; its prompts run one after another while one watches. */
export function DemoButton({ variant = 'default' }: { readonly variant?: 'default' | 'primary' }) {
  const { bridge, openStrand, ui } = useWorkbench();
  const sayProblem = useSayProblem();
  const demo = useMutation(
    bridge.trpc.demo.start.mutationOptions({
      onSuccess: ({ strand }) => {
        openStrand(strand);
        ui.showNarrow('session');
      },
      onError: sayProblem,
    }),
  );
  return (
    <Button variant={variant} disabled={demo.isPending} onClick={() => demo.mutate()}>
      {demo.isPending ? 'Preparing…' : 'Start the demo'}
    </Button>
  );
}

import type { PermissionMode } from '@skein/core/config/personal';
import type { AgentInfo } from '@skein/core/protocol/agents';
import type { StrandId } from '@skein/core/record/ids';
import { settingsOf, settingText } from '@skein/core/strand/settings';
import type { PickersProps } from '@skein/ui/composer/pickers';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSummary } from '../../state/hooks.ts';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import type { StrandView } from '../../sync/strand-feed.ts';

export interface SessionPickers {
  readonly pickers: PickersProps;
  readonly agent: AgentInfo | null;
}

/** Model and mode of this session; the agent that began it stays. */
export function useSessionPickers(strand: StrandId, view: StrandView): SessionPickers {
  const { trpc } = useWorkbench().bridge;
  const sayProblem = useSayProblem();
  const summary = useSummary(strand);
  const agents = useQuery(trpc.agents.list.queryOptions()).data ?? [];
  const set = useMutation(trpc.strands.set.mutationOptions({ onError: sayProblem }));
  const agent = agents.find(({ name }) => name === summary?.agent) ?? null;
  const settings = view.state === null ? {} : settingsOf(view.state);
  const model = settingText(settings, 'model') ?? summary?.model ?? agent?.defaultModel ?? null;
  const mode = (settingText(settings, 'mode') ?? summary?.mode ?? null) as PermissionMode | null;
  return {
    agent,
    pickers: {
      agents,
      agent: summary?.agent ?? null,
      model,
      mode: mode ?? agent?.defaultMode ?? null,
      onModel: (value) => set.mutate({ strand, setting: 'model', value }),
      onMode: (value) => set.mutate({ strand, setting: 'mode', value }),
    },
  };
}

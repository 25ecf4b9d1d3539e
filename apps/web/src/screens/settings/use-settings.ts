import type { SettingsPatch } from '@skein/core/config/personal';
import type { Settings } from '@skein/core/protocol/agents';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Problem, problemOf } from '../../bridge/problem.ts';
import { useWorld } from '../../state/hooks.ts';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';

export interface SettingsAccess {
  readonly settings: Settings | null;
  readonly problem: Problem | null;
  readonly isSaving: boolean;
  /** Merged at the top level; the file's other members stay. */
  readonly save: (patch: SettingsPatch) => void;
  /** An answer of another call that carries the settings. */
  readonly adopt: (settings: Settings) => void;
}

export function useSettings(): SettingsAccess {
  const { trpc } = useWorkbench().bridge;
  const queries = useQueryClient();
  const revision = useWorld((world) => world.settingsRev);
  const sayProblem = useSayProblem();
  const settings = useQuery(trpc.settings.get.queryOptions());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the revision is what it is asked anew for
  useEffect(() => {
    queries.invalidateQueries(trpc.settings.get.queryFilter()).catch(reportError);
  }, [revision, queries, trpc]);
  const adopt = (next: Settings) => {
    queries.setQueryData(trpc.settings.get.queryKey(), () => next as typeof settings.data);
    // What an agent can do follows from providers and keys.
    queries.invalidateQueries(trpc.agents.list.queryFilter()).catch(reportError);
  };
  const save = useMutation(trpc.settings.set.mutationOptions({ onSuccess: adopt, onError: sayProblem }));
  return {
    settings: settings.data ?? null,
    problem: settings.isError ? problemOf(settings.error) : null,
    isSaving: save.isPending,
    save: (patch) => save.mutate({ patch }),
    adopt,
  };
}

/** What a new session starts with: the user's defaults, else the first agent that is ready. */
import type { PermissionMode } from '@skein/core/config/personal';
import type { AgentInfo } from '@skein/core/protocol/agents';
import type { PromptInput } from '@skein/core/protocol/turns';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorld } from '../../state/hooks.ts';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';

export interface NewSessionChoice {
  readonly cwd: string | null;
  readonly agent: AgentInfo | null;
  readonly model: string | null;
  readonly mode: PermissionMode | null;
}

export interface NewSession {
  readonly choice: NewSessionChoice;
  readonly agents: readonly AgentInfo[];
  readonly recent: readonly string[];
  readonly home: string;
  readonly isReady: boolean;
  readonly isStarting: boolean;
  readonly pick: (part: Picked) => void;
  /** Creates the session, opens it and sends the prompt. False: it did not start, nothing was sent. */
  readonly start: (prompt: Pick<PromptInput, 'text' | 'images' | 'mentions'>) => Promise<boolean>;
}

export interface Picked {
  readonly cwd?: string | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | null | undefined;
  readonly mode?: PermissionMode | undefined;
}

export function useNewSession(initialCwd: string | null): NewSession {
  const { bridge, openStrand, page, ui } = useWorkbench();
  const { trpc, api } = bridge;
  const [picked, setPicked] = useState<Picked>({});
  const agents = useQuery(trpc.agents.list.queryOptions()).data;
  const config = useQuery(trpc.settings.get.queryOptions()).data?.config;
  const folders = useQuery(trpc.files.folders.queryOptions({ path: null })).data;
  const info = useQuery(trpc.system.info.queryOptions()).data;
  const newest = useWorld(newestFolder);
  const sayProblem = useSayProblem();
  const recent = folders?.recent ?? [];
  const agent = chooseAgent(agents ?? [], picked.agent ?? config?.agent);
  const choice: NewSessionChoice = {
    // Never the home folder by itself: an agent would work on all of it.
    cwd: picked.cwd ?? initialCwd ?? recent[0] ?? newest,
    agent,
    model: picked.model === undefined ? modelFor(agent, config?.model) : picked.model,
    mode: picked.mode ?? modeFor(agent, config?.mode),
  };
  const start = useMutation({
    mutationFn: async (prompt: Pick<PromptInput, 'text' | 'images' | 'mentions'>) => {
      if (choice.cwd === null || agent === null) throw new Error('Choose a folder and an agent first.');
      const summary = await api.strands.create.mutate({
        cwd: choice.cwd,
        agent: agent.name,
        ...(choice.model === null ? {} : { model: choice.model }),
        ...(choice.mode === null ? {} : { mode: choice.mode }),
      });
      page.setDraft('new', '');
      openStrand(summary.id);
      ui.showNarrow('session');
      try {
        await api.turns.prompt.mutate({ strand: summary.id, when: 'now', ...prompt });
      } catch (error) {
        // The session is there; its composer keeps the text.
        page.setDraft(summary.id, prompt.text);
        throw error;
      }
    },
    onError: sayProblem,
  });
  return {
    choice,
    agents: agents ?? [],
    recent,
    home: info?.home ?? '',
    isReady: agents !== undefined && folders !== undefined,
    isStarting: start.isPending,
    pick: (part) => setPicked((now) => ({ ...now, ...part, ...(part.agent === undefined ? {} : NO_MODEL) })),
    start: (prompt) =>
      start.mutateAsync(prompt).then(
        () => true,
        () => false,
      ),
  };
}

/** A model and a mode belong to their agent. */
const NO_MODEL: Picked = { model: undefined, mode: undefined };

function chooseAgent(agents: readonly AgentInfo[], wanted: string | undefined): AgentInfo | null {
  return (
    agents.find(({ name }) => name === wanted) ??
    agents.find(({ available }) => available) ??
    agents[0] ??
    null
  );
}

function modelFor(agent: AgentInfo | null, wanted: string | undefined): string | null {
  if (agent === null) return null;
  return wanted !== undefined && agent.models.includes(wanted) ? wanted : agent.defaultModel;
}

function modeFor(agent: AgentInfo | null, wanted: PermissionMode | undefined): PermissionMode | null {
  if (agent === null) return null;
  return wanted !== undefined && agent.capabilities.modes.includes(wanted) ? wanted : agent.defaultMode;
}

function newestFolder({
  strands,
}: {
  readonly strands: ReadonlyMap<string, { cwd: string; updatedAt: string }>;
}) {
  let newest: { cwd: string; updatedAt: string } | undefined;
  for (const summary of strands.values()) {
    if (newest === undefined || newest.updatedAt < summary.updatedAt) newest = summary;
  }
  return newest?.cwd ?? null;
}

import type { PermissionRequest } from '@skein/core/protocol/turns';
import type { PermissionDecision } from '@skein/ui/strand/permission-card';
import { useCallback } from 'react';
import { problemOf } from '../../bridge/problem.ts';
import { sentenceOf } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';

/** Answers a question of an agent. Whoever answers first counts; a later answer is told so. */
export function useDecide(): (request: PermissionRequest, decision: PermissionDecision) => void {
  const { bridge, ui } = useWorkbench();
  return useCallback(
    (request, { decision, reason }) => {
      const { id, strand } = request;
      bridge.api.turns.decide
        .mutate({ id, strand, decision, ...(reason === undefined ? {} : { reason }) })
        .then(({ accepted, saved }) => {
          if (!accepted) ui.say({ tone: 'info', text: 'This was answered already.' });
          else if (decision === 'always' && !saved) {
            const text = 'The rule could not be saved; it holds for this session only.';
            ui.say({ tone: 'error', text });
          }
        })
        .catch((error: unknown) => ui.say({ tone: 'error', text: sentenceOf(problemOf(error)) }));
    },
    [bridge, ui],
  );
}

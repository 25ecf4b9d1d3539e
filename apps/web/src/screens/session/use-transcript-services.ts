/** What the rows of a transcript can ask for and do. */
import type { TurnBlock } from '@skein/core/document/blocks';
import type { ActionState, RestoreRequest } from '@skein/core/protocol/restore';
import type { OpId, StrandId, TurnId } from '@skein/core/record/ids';
import { contentHead } from '@skein/core/record/parts';
import type { TranscriptServices } from '@skein/ui/strand/services';
import { useMemo, useRef } from 'react';
import { problemOf } from '../../bridge/problem.ts';
import { useForeignSession } from '../../state/foreign.ts';
import { addressOf } from '../../state/route.ts';
import { sentenceOf } from '../../state/use-problem.ts';
import { useWorkbench, type Workbench } from '../../state/workbench.ts';

export function useTranscriptServices(
  strand: StrandId,
  actionState: ActionState | null,
  agent: string,
): TranscriptServices {
  const workbench = useWorkbench();
  const latest = useRef(actionState);
  latest.current = actionState;
  const fixed = useMemo(() => servicesOf(workbench, strand, () => latest.current), [workbench, strand]);
  const isForeign = useForeignSession(strand) !== null;
  return useMemo(() => {
    const { onCopyLink, onShowChanges } = fixed.actions;
    // Nothing is taken back or said anew in a session that another agent owns.
    const actions = isForeign ? { onCopyLink, onShowChanges } : fixed.actions;
    return { ...fixed, actions, actionState, agent };
  }, [fixed, actionState, agent, isForeign]);
}

type Fixed = Omit<TranscriptServices, 'actionState' | 'agent'>;

function servicesOf(workbench: Workbench, strand: StrandId, state: () => ActionState | null): Fixed {
  const { bridge, ui, layout } = workbench;
  const { api } = bridge;
  const say = (error: unknown) => ui.say({ tone: 'error', text: sentenceOf(problemOf(error)) });
  const ask = (request: RestoreRequest) => ui.open({ kind: 'restore', request });
  return {
    loadSpill: (sha256, offset) => api.strands.spill.query({ strand, sha256, offset }),
    openFile: (path, line) => {
      api.files.openInEditor
        .mutate({ strand, path, ...(line === undefined ? {} : { line }) })
        .then(({ opened, command }) => {
          if (!opened) ui.say({ tone: 'error', text: `${command} did not open the file.` });
        })
        .catch(say);
    },
    actions: {
      onUndo: (turn) => ask(undoOf(strand, turn, state())),
      onRedo: (op) => ask(redoOf(strand, op, state())),
      onRestoreTo: (turn) => ask(restoreToOf(strand, turn)),
      onCopyLink: (turn) => {
        const address = `${location.origin}${addressOf({ kind: 'session', strand, turn })}`;
        navigator.clipboard
          .writeText(address)
          .then(() => ui.say({ tone: 'done', text: 'Link copied.' }), say);
      },
      onShowChanges: (turn) => {
        ui.inspect(strand, turn);
        layout.show('inspector', true);
        ui.showNarrow('inspector');
      },
      onRetry: (block) => {
        sendAgain(workbench, strand, block).catch(say);
      },
    },
  };
}

/** The newest turn goes as a whole; an older one gives back its files only. */
export function undoOf(strand: StrandId, turn: TurnId, state: ActionState | null): RestoreRequest {
  if (state?.undo.turn === turn) return { strand, direction: 'undo', scope: 'both' };
  return { strand, direction: 'undo', scope: 'files', turn };
}

/** Everything after the end of this turn is taken back, files only. */
export function restoreToOf(strand: StrandId, turn: TurnId): RestoreRequest {
  return { strand, direction: 'undo', scope: 'files', to: turn };
}

export function redoOf(strand: StrandId, op: OpId, state: ActionState | null): RestoreRequest {
  if (state?.redo.op === op) return { strand, direction: 'redo', scope: 'both' };
  return { strand, direction: 'redo', scope: 'files', op };
}

function sendAgain({ bridge }: Workbench, strand: StrandId, block: TurnBlock): Promise<unknown> {
  const text = block.prompt?.text.map(contentHead).join('\n') ?? '';
  return bridge.api.turns.prompt.mutate({ strand, text, when: 'now' });
}

/** Sending into a session. What was written is never lost: when the call fails it is back in the composer. */
import type { RecordId, StrandId } from '@skein/core/record/ids';
import type { ComposerPrompt } from '@skein/ui/composer/composer';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isAtWork } from '../../state/at-work.ts';
import { useSummary } from '../../state/hooks.ts';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import type { StrandView } from '../../sync/strand-feed.ts';

export interface Sending {
  /** A turn runs, or one was started and is not settled yet. */
  readonly isBusy: boolean;
  readonly send: (prompt: ComposerPrompt) => void;
}

/** `onSent`: the prompt left the composer. */
export function useSend(strand: StrandId, view: StrandView, onSent: () => void): Sending {
  const { bridge, page, ui } = useWorkbench();
  const sayProblem = useSayProblem();
  const [started, setStarted] = useState<RecordId | null>(null);
  const summary = useSummary(strand) ?? view.summary;
  const mutation = useMutation({
    mutationFn: ({ text, images, mentions, when }: ComposerPrompt) =>
      bridge.api.turns.prompt.mutate({
        strand,
        text,
        when,
        mentions: [...mentions],
        images: images.map(({ mime, b64, name }) => ({ mime, b64, name })),
      }),
    onMutate: () => {
      page.setDraft(strand, '');
      ui.setImages(strand, []);
      onSent();
    },
    onSuccess: (result) => {
      if (result.kind === 'started') setStarted(result.turn);
    },
    onError: (error, { text, images }) => {
      const now = page.drafts.get()[strand] ?? '';
      page.setDraft(strand, now.trim() === '' ? text : `${text}\n\n${now}`);
      ui.setImages(strand, images);
      sayProblem(error);
    },
  });
  const isUnsettled = started !== null && view.state?.turnRecords.has(started) !== true;
  return {
    isBusy: (summary !== null && isAtWork(summary)) || mutation.isPending || isUnsettled,
    send: (prompt) => mutation.mutate(prompt),
  };
}

import type { StrandId } from '@skein/core/record/ids';
import { unacceptedLines } from '@skein/core/strand/state';
import { Composer, type ComposerHandle } from '@skein/ui/composer/composer';
import { useEffect, useRef } from 'react';
import { useQueue, useSummary } from '../../state/hooks.ts';
import { useSelected, useStore } from '../../state/store.ts';
import { useSayProblem } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';
import type { StrandView } from '../../sync/strand-feed.ts';
import { useSessionPickers } from './use-pickers.ts';
import { useSend } from './use-send.ts';

export interface SessionComposerProps {
  readonly strand: StrandId;
  readonly view: StrandView;
  readonly onSent: () => void;
}

const NO_IMAGES: readonly never[] = [];

/** Where the next prompt of this session is written. */
export function SessionComposer({ strand, view, onSent }: SessionComposerProps) {
  const { bridge, page, ui } = useWorkbench();
  const sayProblem = useSayProblem();
  const text = useSelected(page.drafts, (drafts) => drafts[strand] ?? '');
  const images = useSelected(ui.images, (all) => all[strand] ?? NO_IMAGES);
  const queue = useQueue(strand);
  const { pickers, agent } = useSessionPickers(strand, view);
  const { isBusy, send } = useSend(strand, view, onSent);
  const handle = useComposerFocus();
  const { turns, files } = bridge.api;
  const editQueued = (id: string, edited: string | null) => {
    turns.editQueued.mutate({ strand, id, text: edited }).catch(sayProblem);
  };
  return (
    <div className="border-line border-t px-3 pt-2 pb-3 md:px-6">
      <div className="mx-auto w-full max-w-220">
        <Composer
          ref={handle}
          text={text}
          onText={(next) => page.setDraft(strand, next)}
          images={images}
          onImages={(next) => ui.setImages(strand, next)}
          onSend={send}
          running={isBusy}
          canSteer={agent?.capabilities.steer ?? false}
          onInterrupt={() => {
            turns.interrupt.mutate({ strand }).catch(sayProblem);
          }}
          queue={queue}
          onEditQueued={editQueued}
          onRemoveQueued={(id) => editQueued(id, null)}
          acceptsImages={agent?.capabilities.images ?? false}
          findFiles={async (query) => {
            const found = await files.mentions.query({ strand, query });
            return found.map(({ path }) => path);
          }}
          pickers={pickers}
          disabledReason={useDisabledReason(strand, view)}
        />
      </div>
    </div>
  );
}

/** Why nothing can be sent now; the draft can always be written. */
function useDisabledReason(strand: StrandId, view: StrandView): string | null {
  const connection = useStore(useWorkbench().bridge.connection);
  const summary = useSummary(strand);
  if (connection === 'reconnecting' || connection === 'closed')
    return 'The bridge does not answer right now. Your draft is kept.';
  if (summary?.state === 'unreadable') return 'This session cannot be read, so nothing is added to it.';
  const readOnly = summary?.readOnly ?? view.state?.readOnly ?? null;
  if (readOnly !== null) return readOnly;
  if (view.state !== null && unacceptedLines(view.state).length > 0) {
    return 'Accept the lines that cannot be read first.';
  }
  return null;
}

/** A session that was just opened can be written to at once; not on a phone, where that opens the keyboard. */
function useComposerFocus() {
  const handle = useRef<ComposerHandle>(null);
  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) handle.current?.focus();
  }, []);
  return handle;
}

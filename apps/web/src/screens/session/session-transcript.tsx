import type { ActionState } from '@skein/core/protocol/restore';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import { EmptyState } from '@skein/ui/primitives/empty-state';
import { Transcript, type TranscriptHandle } from '@skein/ui/strand/transcript';
import { type RefObject, useDeferredValue, useEffect } from 'react';
import { usePermissions, useSummary } from '../../state/hooks.ts';
import { folderName, foldHome } from '../../state/paths.ts';
import type { Place } from '../../state/places.ts';
import { useWorkbench } from '../../state/workbench.ts';
import type { StrandFeed, StrandView } from '../../sync/strand-feed.ts';
import { useDecide } from './use-decide.ts';
import { useTranscriptServices } from './use-transcript-services.ts';

export interface SessionTranscriptProps {
  readonly strand: StrandId;
  readonly feed: StrandFeed;
  readonly view: StrandView;
  /** Where to start; read once. */
  readonly place: Place;
  /** The turn that the address names. */
  readonly turn: string | null;
  readonly actions: ActionState | null;
  readonly ref: RefObject<TranscriptHandle | null>;
}

export function SessionTranscript({ strand, feed, view, place, turn, actions, ref }: SessionTranscriptProps) {
  const { places } = useWorkbench();
  const agent = useSummary(strand)?.agent ?? view.state?.header?.agent ?? 'The agent';
  const services = useTranscriptServices(strand, actions, agent);
  const permissions = usePermissions(strand);
  const decide = useDecide();
  // A long answer that ends is drawn in slices, so that typing and scrolling go on meanwhile.
  const blocks = useDeferredValue(view.blocks);
  useEffect(() => {
    if (turn !== null) ref.current?.jumpTo(turn as TurnId);
  }, [turn, ref]);
  if (!blocks.some((block) => block.kind === 'turn')) return <Empty strand={strand} />;
  return (
    <Transcript
      ref={ref}
      blocks={blocks}
      services={services}
      permissions={permissions}
      onDecide={decide}
      hasOlder={view.hasOlder}
      loadingOlder={view.loadingOlder}
      onReachTop={feed.loadOlder}
      initialPlace={place}
      onPlace={(next) => places.set(strand, next)}
      folds={places.folds(strand)}
    />
  );
}

function Empty({ strand }: { readonly strand: StrandId }) {
  const cwd = useSummary(strand)?.cwd ?? '';
  return (
    <section
      data-testid="transcript"
      aria-label="Transcript"
      className="grid min-h-0 flex-1 place-items-center"
    >
      <EmptyState
        title={cwd === '' ? 'Nothing was said yet' : `Ready in ${folderName(cwd)}`}
        text={<span className="break-all font-mono text-code">{foldHome(cwd, '')}</span>}
      />
    </section>
  );
}

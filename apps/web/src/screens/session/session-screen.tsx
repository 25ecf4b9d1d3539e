import type { StrandId } from '@skein/core/record/ids';
import { Skeleton } from '@skein/ui/primitives/skeleton';
import type { TranscriptHandle } from '@skein/ui/strand/transcript';
import { useRef } from 'react';
import { foreignTitle, useForeignSession } from '../../state/foreign.ts';
import { titleOf, useRoute, useStrandFeed, useWorld } from '../../state/hooks.ts';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { ContinueBar } from './continue-bar.tsx';
import { SessionComposer } from './session-composer.tsx';
import { SessionFailed } from './session-failed.tsx';
import { SessionNotices } from './session-notices.tsx';
import { SessionTranscript } from './session-transcript.tsx';
import { useLoadedPlace } from './use-loaded-place.ts';
import { useRestoreActions } from './use-restore-actions.ts';

/** One session: what is special about it, its turns, and where the next prompt is written. */
export function SessionScreen({ strand }: { readonly strand: StrandId }) {
  const { places } = useWorkbench();
  const feed = useStrandFeed(strand);
  const view = useStore(feed.view);
  const route = useRoute();
  const turn = route.kind === 'session' ? route.turn : null;
  const place = useLoadedPlace(feed, view, turn === null ? places.get(strand) : { id: turn, offset: 0 });
  const transcript = useRef<TranscriptHandle>(null);
  const actions = useRestoreActions(strand, view.records);
  const foreign = useForeignSession(strand);
  const own = useWorld((world) => titleOf(world.strands.get(strand)));
  const title = foreign === null ? own : foreignTitle(foreign);
  if (view.status === 'failed' && view.problem !== null) {
    return <SessionFailed strand={strand} problem={view.problem} onRetry={feed.reload} />;
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">{title ?? 'Session'}</h1>
      <h2 className="sr-only">Turns</h2>
      <SessionNotices strand={strand} view={view} onRetry={feed.reload} />
      {view.status === 'loading' || place === null ? (
        <Skeleton
          label="The session is loading"
          rows={6}
          className="mx-auto mt-8 w-full max-w-220 flex-1 px-6"
        />
      ) : (
        <SessionTranscript
          ref={transcript}
          strand={strand}
          feed={feed}
          view={view}
          place={place}
          turn={turn}
          actions={actions}
        />
      )}
      {/* Who sends wants to see what comes of it, wherever they were reading. */}
      {foreign === null ? (
        <SessionComposer strand={strand} view={view} onSent={() => transcript.current?.toEnd()} />
      ) : (
        <ContinueBar session={foreign} />
      )}
    </div>
  );
}

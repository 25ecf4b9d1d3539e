import type { TranscriptBlock } from '@skein/core/document/blocks';
import type { PermissionRequest } from '@skein/core/protocol/turns';
import type { TurnId } from '@skein/core/record/ids';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type Ref, startTransition, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { Spinner } from '../primitives/spinner.tsx';
import { FoldProvider, type FoldStore } from './folds.tsx';
import { NewPill } from './new-pill.tsx';
import type { PermissionDecision } from './permission-card.tsx';
import { type TranscriptServices, TranscriptServicesProvider } from './services.tsx';
import { TimelineRail } from './timeline-rail.tsx';
import { permissionsByBlock, TranscriptRow } from './transcript-row.tsx';
import { turnKeys } from './turn-keys.ts';
import { type TranscriptPlace, useReading } from './use-reading.ts';

export interface TranscriptHandle {
  /** False when the turn is not loaded. */
  readonly jumpTo: (turn: TurnId) => boolean;
  readonly toEnd: () => void;
}

export interface TranscriptProps {
  readonly blocks: readonly TranscriptBlock[];
  readonly services: TranscriptServices;
  readonly permissions: readonly PermissionRequest[];
  readonly onDecide: (request: PermissionRequest, decision: PermissionDecision) => void;
  /** Older turns exist and can be loaded. */
  readonly hasOlder: boolean;
  readonly loadingOlder: boolean;
  readonly onReachTop: () => void;
  /** Where the reader was; the end when absent. Read once. */
  readonly initialPlace?: TranscriptPlace | undefined;
  /** A while after the reader stopped scrolling. */
  readonly onPlace?: ((place: TranscriptPlace) => void) | undefined;
  /** What the reader has unfolded; kept outside to survive a change of tabs. */
  readonly folds?: FoldStore | undefined;
  readonly ref?: Ref<TranscriptHandle> | undefined;
}

const estimate = (block: TranscriptBlock | undefined): number => (block?.kind === 'lines' ? 44 : 220);

/**
 * The turns of a session. Only what is in sight exists as elements. It follows the end while the reader is at
 * the end, and never moves under a reader who is not.
 */
export function Transcript(props: TranscriptProps) {
  const { blocks, services, permissions, onDecide, hasOlder, loadingOlder, ref } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const ownFolds = useRef<FoldStore>(new Map());
  // What is in sight is drawn first, what lies around it after that.
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setShown(true)));
    return () => cancelAnimationFrame(frame);
  }, []);
  const virtualizer = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimate(blocks[index]),
    // The first drawing already shows the rows of the end; rows of the start would be measured for nothing.
    initialOffset: () => blocks.reduce((sum, block) => sum + estimate(block), 0),
    getItemKey: (index) => blocks[index]?.id ?? index,
    overscan: isShown ? 4 : 0,
    paddingStart: 20,
    paddingEnd: 12,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: 40,
  });
  const reading = useReading({ ...props, scroller, virtualizer });
  const asked = useMemo(() => permissionsByBlock(blocks, permissions), [blocks, permissions]);
  useImperativeHandle(ref, () => ({ jumpTo: reading.jumpTo, toEnd: reading.toEnd }));
  const rows = virtualizer.getVirtualItems();
  return (
    <TranscriptServicesProvider value={services}>
      <FoldProvider value={props.folds ?? ownFolds.current}>
        <section
          data-testid="transcript"
          aria-label="Transcript"
          className="relative flex min-h-0 min-w-0 flex-1"
        >
          <TimelineRail
            blocks={blocks}
            first={reading.first}
            last={reading.last}
            onJump={reading.showIndex}
            className="max-md:hidden"
          />
          {/* biome-ignore lint/a11y/noStaticElementInteractions: J, K and Enter work from anywhere in the transcript */}
          <div
            ref={scroller}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            onScroll={reading.onScroll}
            onKeyDown={turnKeys({
              scroller,
              count: blocks.length,
              first: reading.first,
              show: reading.showIndex,
            })}
            className="min-w-0 flex-1 overflow-y-auto overflow-x-hidden overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
          >
            <div
              role="feed"
              aria-busy={loadingOlder}
              className="relative"
              style={{ height: virtualizer.getTotalSize() }}
            >
              {rows.map(({ index, key, start }) => {
                const block = blocks[index];
                return (
                  block !== undefined && (
                    <TranscriptRow
                      key={key}
                      measure={virtualizer.measureElement}
                      block={block}
                      index={index}
                      start={start}
                      count={hasOlder ? -1 : blocks.length}
                      flash={reading.flash === block.id}
                      permissions={asked.get(block.id)}
                      onDecide={onDecide}
                      following={reading.following}
                    />
                  )
                );
              })}
            </div>
          </div>
          {loadingOlder && (
            <div className="-translate-x-1/2 absolute top-2 left-1/2 rounded-full border border-line bg-raised px-3 py-1">
              <Spinner showLabel label="Loading earlier turns" />
            </div>
          )}
          {!reading.following && <NewPill count={reading.newCount} onClick={reading.toEnd} />}
        </section>
      </FoldProvider>
    </TranscriptServicesProvider>
  );
}

import type { TranscriptBlock } from '@skein/core/document/blocks';
import { memo, type PointerEvent, useMemo, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { railTicks } from './rail-ticks.ts';

export interface TimelineRailProps {
  readonly blocks: readonly TranscriptBlock[];
  /** Indexes of the blocks in sight. */
  readonly first: number;
  readonly last: number;
  readonly onJump: (index: number) => void;
  readonly className?: string | undefined;
}

const HEIGHT = 1000;

/**
 * The whole session beside the transcript: a tick for each turn, as long as it changed files, red where its
 * check failed. Click or drag goes there. For the pointer; J and K are the keyboard's way.
 */
export const TimelineRail = memo(function TimelineRail({
  blocks,
  first,
  last,
  onJump,
  className,
}: TimelineRailProps) {
  const ref = useRef<HTMLDivElement>(null);
  const ticks = useMemo(() => railTicks(blocks, 250), [blocks]);
  const jump = (event: PointerEvent<HTMLDivElement>): void => {
    const box = ref.current?.getBoundingClientRect();
    if (box === undefined || event.buttons !== 1) return;
    const share = Math.min(1, Math.max(0, (event.clientY - box.top) / box.height));
    onJump(Math.min(blocks.length - 1, Math.floor(share * blocks.length)));
  };
  const count = Math.max(1, blocks.length);
  if (blocks.length < 3 || (first === 0 && last >= blocks.length - 1)) return null;
  return (
    <div
      ref={ref}
      aria-hidden="true"
      data-no-print
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        jump(event);
      }}
      onPointerMove={jump}
      className={classNames('absolute inset-y-2 left-0 z-1 w-5 touch-none select-none', className)}
    >
      <svg
        aria-hidden="true"
        viewBox={`0 0 20 ${HEIGHT}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
      >
        {ticks.map((tick) => (
          <rect
            key={tick.at}
            x={4}
            y={tick.at * HEIGHT}
            width={tick.length}
            height={Math.max(1.5, Math.min(3, HEIGHT / ticks.length - 1))}
            className={TICK_COLOURS[tick.tone]}
          />
        ))}
      </svg>
      <div
        className="absolute inset-x-0.5 min-h-3 rounded-xs bg-active"
        style={{ top: `${(first / count) * 100}%`, height: `${((last - first + 1) / count) * 100}%` }}
      />
    </div>
  );
});

const TICK_COLOURS = {
  quiet: 'fill-(--line-strong) opacity-60',
  changed: 'fill-(--text-2)',
  failed: 'fill-(--del)',
  live: 'fill-(--accent)',
  undone: 'fill-(--line-strong) opacity-30',
};

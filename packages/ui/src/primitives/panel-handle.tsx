import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { classNames } from '../class-names.ts';

export interface PanelHandleProps {
  /** Which panel it resizes, in words. */
  readonly label: string;
  /** Which edge of the panel it sits on. */
  readonly side: 'left' | 'right' | 'top' | 'bottom';
  readonly size: number;
  readonly min: number;
  readonly max: number;
  readonly onResize: (size: number) => void;
  /** The size to keep, once the pointer is up. */
  readonly onDone?: ((size: number) => void) | undefined;
  /** Double click or Enter. */
  readonly onToggle?: (() => void) | undefined;
}

/** A line between two panels: drag it, or focus it and use the arrow keys. */
export function PanelHandle(props: PanelHandleProps) {
  const { label, side, size, min, max, onToggle } = props;
  const isVertical = side === 'left' || side === 'right';
  const drag = useDrag(props, isVertical);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is not an <hr>
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isVertical ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(size)}
      aria-valuemin={min}
      aria-valuemax={max}
      onDoubleClick={onToggle}
      {...drag}
      className={classNames(
        'group relative z-10 shrink-0 touch-none',
        isVertical ? '-mx-1 w-2 cursor-col-resize' : '-my-1 h-2 cursor-row-resize',
      )}
    >
      <div
        className={classNames(
          'absolute bg-line group-hover:bg-line-strong group-active:bg-accent',
          isVertical ? 'inset-y-0 left-1/2 w-px' : 'inset-x-0 top-1/2 h-px',
        )}
      />
    </div>
  );
}

function useDrag(
  { side, size, min, max, onResize, onDone, onToggle }: PanelHandleProps,
  isVertical: boolean,
) {
  const start = useRef<{ at: number; size: number } | null>(null);
  const grows = side === 'right' || side === 'bottom' ? 1 : -1;
  const clamp = (value: number) => Math.min(max, Math.max(min, value));
  const place = (event: PointerEvent) => (isVertical ? event.clientX : event.clientY);
  return {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { at: place(event), size };
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      if (start.current === null) return;
      onResize(clamp(start.current.size + grows * (place(event) - start.current.at)));
    },
    onPointerUp() {
      if (start.current !== null) onDone?.(size);
      start.current = null;
    },
    onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
      const steps: Record<string, number> = { ArrowRight: 16, ArrowDown: 16, ArrowLeft: -16, ArrowUp: -16 };
      if (event.key === 'Enter') onToggle?.();
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const next = clamp(size + grows * step);
      onResize(next);
      onDone?.(next);
    },
  };
}

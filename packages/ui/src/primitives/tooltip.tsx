import { cloneElement, type ReactElement } from 'react';
import { Kbd } from './kbd.tsx';
import { useTip } from './use-tip.ts';

export interface TipProps {
  readonly label: string;
  readonly shortcut?: string | undefined;
  /** The element that the tip is about; it must pass attributes on. */
  readonly children: ReactElement<Record<string, unknown>>;
}

/**
 * Names an element for people who point at it or tab to it. It only marks the element: one `TooltipHost` on
 * the page shows all tips, for a transcript has hundreds of buttons and one of them is pointed at.
 */
export function Tip({ label, shortcut, children }: TipProps) {
  return cloneElement(children, { 'data-tip': label, 'data-tip-keys': shortcut });
}

/** Mounted once, near the root. Readers get the name from the element itself, so the tip is hidden for them. */
export function TooltipHost() {
  const { tip, place } = useTip();
  if (tip === null) return null;
  return (
    <div
      ref={place}
      aria-hidden="true"
      className="pointer-events-none fixed top-0 left-0 z-60 flex w-max max-w-80 items-center gap-2 rounded-control border border-line bg-raised px-2 py-1 text-fg text-meta shadow-float"
    >
      <span className="min-w-0 text-pretty break-words">{tip.label}</span>
      {tip.shortcut !== null && <Kbd keys={tip.shortcut} />}
    </div>
  );
}

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';

export interface ScrollBoxProps {
  /** What scrolls, for screen readers. */
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** A box that scrolls sideways. It takes a place in the tab order only while there is something to scroll. */
export function ScrollBox({ label, className, children }: ScrollBoxProps) {
  const ref = useRef<HTMLDivElement>(null);
  const scrolls = useScrolls(ref);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group, not a landmark: a transcript has hundreds
    <div
      ref={ref}
      role="group"
      aria-label={label}
      tabIndex={scrolls ? 0 : undefined}
      className={classNames('overflow-x-auto focus-visible:-outline-offset-2', className)}
    >
      {children}
    </div>
  );
}

function useScrolls(ref: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const box = ref.current;
    if (box === null || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => setScrolls(box.scrollWidth > box.clientWidth + 1));
    observer.observe(box);
    if (box.firstElementChild !== null) observer.observe(box.firstElementChild);
    return () => observer.disconnect();
  }, [ref]);
  return scrolls;
}

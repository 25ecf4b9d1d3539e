import { ArrowDown } from 'lucide-react';
import { formatCount } from '../format.ts';
import { Icon } from '../primitives/icon.tsx';

export interface NewPillProps {
  /** Steps since the reader left the end; 0: only the way back. */
  readonly count: number;
  readonly onClick: () => void;
}

/** The way back to the end, and how much happened there meanwhile. */
export function NewPill({ count, onClick }: NewPillProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="-translate-x-1/2 absolute bottom-3 left-1/2 flex h-7 items-center gap-1.5 rounded-full border border-line bg-raised px-3 font-medium text-meta shadow-float hover:border-line-strong touch:h-11 touch:px-4"
    >
      {count > 0 ? <span className="text-accent-text">{`${formatCount(count)} new`}</span> : 'To the end'}
      <Icon of={ArrowDown} size={14} />
    </button>
  );
}

import { classNames } from '../class-names.ts';

export interface SkeletonProps {
  /** What is loading. */
  readonly label: string;
  readonly rows?: number | undefined;
  readonly className?: string | undefined;
}

const WIDTHS = ['w-11/12', 'w-4/5', 'w-3/5', 'w-5/6', 'w-2/3'];

/** The shape of lines that are still on their way. */
export function Skeleton({ label, rows = 3, className }: SkeletonProps) {
  return (
    <div role="status" data-loading="" className={classNames('flex flex-col gap-2.5', className)}>
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, index) => index).map((index) => (
        <div
          key={index}
          aria-hidden="true"
          className={classNames('h-3 animate-pulse rounded bg-active', WIDTHS[index % WIDTHS.length])}
        />
      ))}
    </div>
  );
}

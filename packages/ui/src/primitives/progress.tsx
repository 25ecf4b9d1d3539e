import { formatCount } from '../format.ts';
import { Button } from './button.tsx';

export interface ProgressProps {
  readonly label: string;
  readonly done: number;
  /** Null when it is not known how much there is. */
  readonly total: number | null;
  readonly onCancel?: (() => void) | undefined;
}

/** Long work: what it is, how far it is, and a way to stop it. */
export function Progress({ label, done, total, onCancel }: ProgressProps) {
  const share = total === null || total === 0 ? 0 : Math.min(1, done / total);
  const count = total === null ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;
  return (
    <div className="flex items-center gap-3 text-ui">
      <div className="min-w-0 flex-1">
        <div className="flex justify-between gap-3">
          <span className="truncate">{label}</span>
          <span className="tabular shrink-0 text-fg-3 text-meta leading-5">{count}</span>
        </div>
        <progress className="sr-only" aria-label={label} value={total === null ? undefined : share} max={1} />
        <div className="mt-1 h-1 overflow-hidden rounded bg-active" aria-hidden="true">
          <div
            className={
              total === null ? 'h-full w-1/4 animate-pulse bg-accent' : 'h-full origin-left bg-accent'
            }
            style={total === null ? undefined : { transform: `scaleX(${share})` }}
          />
        </div>
      </div>
      {onCancel !== undefined && (
        <Button size="sm" variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      )}
    </div>
  );
}

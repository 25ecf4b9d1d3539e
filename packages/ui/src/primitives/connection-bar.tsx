import { Button } from './button.tsx';

export interface ConnectionBarProps {
  readonly state: 'open' | 'reconnecting' | 'closed';
  readonly onRetry?: (() => void) | undefined;
}

/** A thin bar while the bridge does not answer. Nothing is lost meanwhile, and it says so. */
export function ConnectionBar({ state, onRetry }: ConnectionBarProps) {
  if (state === 'open') return null;
  return (
    <div
      role="status"
      data-testid="connection-bar"
      className="flex min-h-7 items-center justify-center gap-2 border-warn-line border-b bg-warn-bg px-3 text-ui"
    >
      <span aria-hidden="true" className="size-2 animate-pulse rounded-full border-2 border-warn" />
      {state === 'reconnecting'
        ? 'Reconnecting, nothing is lost.'
        : 'The bridge is not running. Start it with "skein up"; nothing is lost.'}
      {onRetry !== undefined && (
        <Button size="sm" variant="ghost" onClick={onRetry}>
          Try now
        </Button>
      )}
    </div>
  );
}

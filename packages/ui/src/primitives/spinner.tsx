export interface SpinnerProps {
  /** What is being waited for. */
  readonly label: string;
  readonly showLabel?: boolean | undefined;
}

/** Work of unknown length. It appears after a moment, so that quick answers do not flash. */
export function Spinner({ label, showLabel = false }: SpinnerProps) {
  return (
    <span role="status" className="inline-flex items-center gap-2 text-fg-3 text-meta">
      <svg viewBox="0 0 16 16" className="size-3.5 animate-spin" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" opacity="0.25" />
        <path
          d="M8 2a6 6 0 0 1 6 6"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinecap="round"
        />
      </svg>
      <span className={showLabel ? undefined : 'sr-only'}>{label}</span>
    </span>
  );
}

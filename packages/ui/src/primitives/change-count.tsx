export interface ChangeCountProps {
  /** Null where the lines were not counted (binary files). */
  readonly added: number | null;
  readonly removed: number | null;
}

/** `+41 −7`, with the words for screen readers. */
export function ChangeCount({ added, removed }: ChangeCountProps) {
  if (added === null && removed === null) return null;
  return (
    <span className="tabular whitespace-nowrap font-mono text-meta">
      <span className="sr-only">{`${added ?? 0} lines added, ${removed ?? 0} removed`}</span>
      <span aria-hidden="true">
        {(added ?? 0) > 0 && <span className="text-add">+{added}</span>}
        {(added ?? 0) > 0 && (removed ?? 0) > 0 && ' '}
        {(removed ?? 0) > 0 && <span className="text-del">−{removed}</span>}
      </span>
    </span>
  );
}

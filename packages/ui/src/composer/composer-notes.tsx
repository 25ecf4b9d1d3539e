import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface ComposerNotesProps {
  readonly id: string;
  /** What just went wrong. */
  readonly problem: string | null;
  /** Why nothing can be sent. */
  readonly reason: string | null;
  readonly hint?: ReactNode | undefined;
}

/** Below the box: why something did not work, or what the session cost so far. */
export function ComposerNotes({ id, problem, reason, hint }: ComposerNotesProps) {
  const shown = problem ?? reason;
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 px-1">
      <p
        id={id}
        role={problem === null ? undefined : 'alert'}
        className={classNames(
          'min-w-0 text-pretty text-meta',
          shown !== null && 'mt-1',
          problem === null ? 'text-fg-2' : 'text-del',
        )}
      >
        {shown}
      </p>
      {hint !== undefined && hint !== null && (
        <div className="tabular mt-1 ml-auto text-fg-3 text-meta">{hint}</div>
      )}
    </div>
  );
}

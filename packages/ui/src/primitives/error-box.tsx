import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';

export interface ErrorBoxProps {
  /** What happened, in one sentence. */
  readonly happened: string;
  /** What was kept. */
  readonly kept?: string | undefined;
  /** What to do next. */
  readonly next?: ReactNode | undefined;
  /** For "copy details"; never shown as it is. */
  readonly details?: string | undefined;
  readonly actions?: ReactNode | undefined;
}

/** A failure: what happened, what was kept, what to do next. */
export function ErrorBox({ happened, kept, next, details, actions }: ErrorBoxProps) {
  return (
    <div
      role="alert"
      className="flex gap-2.5 rounded-panel border border-line border-l-2 border-l-del bg-raised px-3 py-2.5 text-ui"
    >
      <Icon of={CircleAlert} className="mt-0.5 text-del" />
      <div className="min-w-0 flex-1">
        <p className="text-pretty break-words font-medium">{happened}</p>
        {kept !== undefined && <p className="text-pretty text-fg-2">{kept}</p>}
        {next !== undefined && <p className="text-pretty text-fg-2">{next}</p>}
        {(actions !== undefined || details !== undefined) && (
          <div className="-ml-2 mt-1.5 flex flex-wrap items-center gap-1">
            {actions}
            {details !== undefined && <CopyButton wide label="Copy details" text={() => details} />}
          </div>
        )}
      </div>
    </div>
  );
}

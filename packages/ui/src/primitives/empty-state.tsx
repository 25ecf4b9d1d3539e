import type { ReactNode } from 'react';

export interface EmptyStateProps {
  readonly title: string;
  /** One sentence: why it is empty, what would fill it. */
  readonly text?: ReactNode | undefined;
  readonly icon?: ReactNode | undefined;
  readonly action?: ReactNode | undefined;
}

export function EmptyState({ title, text, icon, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-1 px-6 py-12 text-center">
      {icon !== undefined && <div className="mb-2 text-fg-3">{icon}</div>}
      <p className="font-medium text-ui">{title}</p>
      {text !== undefined && <p className="text-balance text-fg-2 text-ui">{text}</p>}
      {action !== undefined && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

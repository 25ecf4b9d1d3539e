import type { ReactNode } from 'react';

export interface ScreenFrameProps {
  readonly title: string;
  readonly actions?: ReactNode | undefined;
  readonly children: ReactNode;
}

/** A page of its own in the middle: settings, checks, a new session. */
export function ScreenFrame({ title, actions, children }: ScreenFrameProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 py-8 sm:px-6">
        <header className="flex items-center justify-between gap-3">
          <h1 className="font-semibold text-title">{title}</h1>
          {actions}
        </header>
        {children}
      </div>
    </div>
  );
}

import type { ReactNode } from 'react';

export interface SectionProps {
  readonly title: string;
  readonly text?: ReactNode | undefined;
  readonly actions?: ReactNode | undefined;
  readonly children: ReactNode;
}

/** One subject of the settings. */
export function Section({ title, text, actions, children }: SectionProps) {
  return (
    <section className="border-line border-t pt-4 first-of-type:border-t-0 first-of-type:pt-0">
      <header className="mb-2 flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold">{title}</h2>
          {text !== undefined && <p className="text-pretty text-fg-2">{text}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}

import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface BadgeProps {
  readonly tone?: 'neutral' | 'accent' | 'warn' | 'add' | 'del' | undefined;
  readonly children: ReactNode;
}

const TONES = {
  neutral: 'border-line text-fg-2',
  accent: 'border-transparent bg-accent-bg text-accent-text',
  warn: 'border-transparent bg-warn-bg text-warn',
  add: 'border-transparent bg-add-bg text-add',
  del: 'border-transparent bg-del-bg text-del',
};

/** A word in a frame. */
export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex h-4.5 items-center gap-1 whitespace-nowrap rounded border px-1.5 text-meta',
        TONES[tone],
      )}
    >
      {children}
    </span>
  );
}

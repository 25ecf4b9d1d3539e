import type { ComponentType } from 'react';
import { classNames } from '../class-names.ts';

export interface IconProps {
  /** A lucide icon. */
  readonly of: ComponentType<{ size?: number | string; strokeWidth?: number | string; className?: string }>;
  readonly size?: 14 | 16 | undefined;
  readonly className?: string | undefined;
}

/** An icon as decoration: the name is always in the text or the label beside it. */
export function Icon({ of: Glyph, size = 16, className }: IconProps) {
  return <Glyph size={size} strokeWidth={1.5} aria-hidden className={classNames('shrink-0', className)} />;
}

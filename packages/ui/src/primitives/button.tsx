import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from '../class-names.ts';
import { Kbd } from './kbd.tsx';
import { Tip } from './tooltip.tsx';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  readonly variant?: 'default' | 'primary' | 'ghost' | 'danger' | undefined;
  readonly size?: 'sm' | 'md' | undefined;
  readonly icon?: ReactNode | undefined;
  readonly shortcut?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** Why it cannot be used now. Makes it disabled, yet reachable, so that the reason can be read. */
  readonly disabledReason?: string | null | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
}

const BASE =
  'inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-control border font-medium transition-opacity aria-disabled:opacity-50 disabled:opacity-50 touch:min-h-11 touch:px-3.5';

const SIZES = { sm: 'h-6 px-2 text-meta', md: 'h-7 px-2.5 text-ui' };

export const BUTTON_VARIANTS = {
  default:
    'border-line bg-raised text-fg enabled:not-aria-disabled:hover:border-line-strong enabled:not-aria-disabled:active:bg-active',
  primary:
    'border-transparent bg-accent-fill text-on-accent enabled:not-aria-disabled:hover:opacity-90 enabled:not-aria-disabled:active:opacity-80',
  ghost:
    'border-transparent text-fg-2 enabled:not-aria-disabled:hover:bg-hover enabled:not-aria-disabled:hover:text-fg enabled:not-aria-disabled:active:bg-active',
  danger:
    'border-line bg-raised text-del enabled:not-aria-disabled:hover:border-del enabled:not-aria-disabled:active:bg-del-bg',
};

/** A push button. It is `type="button"` unless said otherwise, so that it never submits a form by accident. */
export function Button(props: ButtonProps) {
  const {
    variant = 'default',
    size = 'md',
    icon,
    shortcut,
    disabledReason,
    className,
    children,
    ...rest
  } = props;
  const blocked = disabledReason !== undefined && disabledReason !== null;
  const button = (
    <button
      type="button"
      {...rest}
      aria-disabled={blocked || undefined}
      aria-description={disabledReason ?? undefined}
      onClick={blocked ? ignoreClick : rest.onClick}
      className={classNames(BASE, SIZES[size], BUTTON_VARIANTS[variant], className)}
    >
      {icon}
      {children}
      {shortcut !== undefined && <Kbd keys={shortcut} quiet />}
    </button>
  );
  return blocked ? <Tip label={disabledReason}>{button}</Tip> : button;
}

function ignoreClick(event: { preventDefault(): void }): void {
  event.preventDefault();
}

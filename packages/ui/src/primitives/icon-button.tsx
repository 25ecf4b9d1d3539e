import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { classNames } from '../class-names.ts';
import { Tip } from './tooltip.tsx';

export interface IconButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'aria-label'> {
  /** What it does; for screen readers and the tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly shortcut?: string | undefined;
  readonly size?: 'sm' | 'md' | undefined;
  readonly pressed?: boolean | undefined;
  readonly disabledReason?: string | null | undefined;
  readonly ref?: Ref<HTMLButtonElement> | undefined;
}

const SIZES = { sm: 'size-6', md: 'size-7' };

/** A button that is only an icon. The tooltip says its name, its shortcut, or why it is disabled. */
export function IconButton(props: IconButtonProps) {
  const { label, icon, shortcut, size = 'md', pressed, disabledReason, className, ...rest } = props;
  const blocked = disabledReason !== undefined && disabledReason !== null;
  return (
    <Tip label={blocked ? `${label}: ${disabledReason}` : label} shortcut={blocked ? undefined : shortcut}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-pressed={pressed}
        aria-disabled={blocked || undefined}
        aria-description={disabledReason ?? undefined}
        onClick={blocked ? undefined : rest.onClick}
        className={classNames(
          'inline-grid shrink-0 place-items-center rounded-control touch:size-11',
          SIZES[size],
          pressed === true ? 'bg-active text-fg' : 'text-fg-2',
          blocked ? 'opacity-45' : 'hover:bg-hover hover:text-fg active:bg-active',
          className,
        )}
      >
        {icon}
      </button>
    </Tip>
  );
}

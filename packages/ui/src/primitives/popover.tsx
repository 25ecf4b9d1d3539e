import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { FLOATING } from './floating.ts';

export interface PopoverProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  /** Name of what opens, for screen readers. */
  readonly label: string;
  readonly align?: 'start' | 'center' | 'end' | undefined;
  readonly side?: 'top' | 'bottom' | undefined;
  readonly open?: boolean | undefined;
  readonly onOpenChange?: ((open: boolean) => void) | undefined;
  readonly children: ReactNode;
}

/** Something small that opens beside its button: a form, a detail. */
export function Popover({
  trigger,
  label,
  align = 'start',
  side = 'bottom',
  open,
  onOpenChange,
  children,
}: PopoverProps) {
  const control = open === undefined ? {} : { open };
  return (
    <Base.Root
      {...control}
      {...(onOpenChange === undefined ? {} : { onOpenChange: (next) => onOpenChange(next) })}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} collisionPadding={8} className="z-50">
          <Base.Popup aria-label={label} className={classNames(FLOATING, 'max-w-[calc(100vw-16px)] p-3')}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

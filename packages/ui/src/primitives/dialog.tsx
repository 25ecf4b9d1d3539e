import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from './icon.tsx';
import { IconButton } from './icon-button.tsx';

export interface DialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode | undefined;
  readonly size?: 'sm' | 'md' | 'lg' | undefined;
  /** Buttons; the one for the next step comes last. */
  readonly footer?: ReactNode | undefined;
  readonly children?: ReactNode | undefined;
}

const WIDTHS = { sm: 'max-w-md', md: 'max-w-2xl', lg: 'max-w-5xl' };

/** Focus goes in, stays in and comes back. On a phone it fills the screen from the bottom. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = 'md',
  footer,
  children,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  // A field that asked for the focus keeps it; else the dialog itself has it, not its first button.
  const firstFocus = (): HTMLElement | null => {
    const { activeElement } = document;
    const isInside = activeElement instanceof HTMLElement && popup.current?.contains(activeElement) === true;
    return isInside ? activeElement : popup.current;
  };
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Base.Popup
          ref={popup}
          initialFocus={firstFocus}
          className={classNames(
            'outline-none fixed inset-x-0 bottom-0 z-50 mx-auto flex max-h-[92dvh] w-full flex-col rounded-t-panel border border-line bg-raised text-fg shadow-float transition-[opacity,transform] data-[ending-style]:translate-y-1 data-[starting-style]:translate-y-1 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0 sm:top-[8dvh] sm:bottom-auto sm:max-h-[84dvh] sm:w-[calc(100%-32px)] sm:rounded-panel',
            WIDTHS[size],
          )}
        >
          <header className="flex items-start gap-2 border-line border-b py-2 pr-2 pl-4">
            <div className="min-w-0 flex-1 py-1">
              <Base.Title className="text-pretty font-semibold text-title">{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className="mt-0.5 text-pretty text-fg-2 text-ui" render={<div />}>
                  {description}
                </Base.Description>
              )}
            </div>
            <Base.Close render={<IconButton label="Close" shortcut="esc" icon={<Icon of={X} />} />} />
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
          {footer !== undefined && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-2.5">
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

import { useEffect } from 'react';
import { Toaster, toast } from 'sonner';
import type { ToastOptions } from './toast-host.tsx';

export interface WaitingToast {
  readonly message: string;
  readonly options: ToastOptions;
}

export interface ToastViewProps {
  /** Grows with each toast. */
  readonly count: number;
  /** What was not shown yet. */
  readonly take: () => readonly WaitingToast[];
}

/** The toasts themselves: loaded when there is the first one. */
export function ToastView({ count, take }: ToastViewProps) {
  useEffect(() => {
    if (count > 0) for (const waiting of take()) publish(waiting);
  }, [count, take]);
  return (
    <Toaster
      // On a phone the bottom is where people write.
      position={matchMedia('(max-width: 639px)').matches ? 'top-center' : 'bottom-right'}
      closeButton
      gap={8}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-start gap-2 rounded-panel font-sans border border-line bg-raised px-3 py-2.5 text-fg text-ui shadow-float sm:w-90',
          content: 'min-w-0 flex-1',
          title: 'text-pretty font-medium',
          description: 'mt-0.5 text-pretty text-fg-2',
          icon: 'mt-0.5 text-fg-3 [&_svg]:size-4',
          actionButton:
            'shrink-0 rounded-control border border-line px-2 py-0.5 font-medium hover:border-line-strong touch:min-h-11',
          closeButton:
            'order-last grid size-5 shrink-0 place-items-center rounded text-fg-3 hover:bg-hover [&_svg]:size-3.5',
        },
      }}
    />
  );
}

function publish({ message, options }: WaitingToast): void {
  const { tone = 'info', detail, action, id, durationMs } = options;
  const show = { info: toast, success: toast.success, warn: toast.warning, error: toast.error }[tone];
  show(message, {
    ...(id === undefined ? {} : { id }),
    ...(detail === undefined ? {} : { description: detail }),
    ...(action === undefined ? {} : { action: { label: action.label, onClick: action.onSelect } }),
    duration: durationMs ?? (tone === 'error' ? Number.POSITIVE_INFINITY : 6000),
  });
}

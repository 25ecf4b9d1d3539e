import { memo } from 'react';
import { Toaster, toast } from 'sonner';

export interface ToastOptions {
  readonly tone?: 'info' | 'success' | 'warn' | 'error' | undefined;
  readonly detail?: string | undefined;
  readonly action?: { readonly label: string; readonly onSelect: () => void } | undefined;
  /** Replaces the toast of the same id instead of adding one. */
  readonly id?: string | undefined;
  readonly durationMs?: number | undefined;
}

/** Says something that happened. Errors stay until they are closed. */
export function showToast(message: string, options: ToastOptions = {}): void {
  const { tone = 'info', detail, action, id, durationMs } = options;
  const show = { info: toast, success: toast.success, warn: toast.warning, error: toast.error }[tone];
  show(message, {
    ...(id === undefined ? {} : { id }),
    ...(detail === undefined ? {} : { description: detail }),
    ...(action === undefined ? {} : { action: { label: action.label, onClick: action.onSelect } }),
    duration: durationMs ?? (tone === 'error' ? Number.POSITIVE_INFINITY : 6000),
  });
}

/** Mounted once, near the root. */
export const ToastHost = memo(function ToastHost() {
  return (
    <Toaster
      position="bottom-right"
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
});

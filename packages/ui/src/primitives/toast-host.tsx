import { memo, Suspense, useEffect, useState } from 'react';
import { lazyPart } from './lazy-part.ts';
import type { WaitingToast } from './toast-view.tsx';

export interface ToastOptions {
  readonly tone?: 'info' | 'success' | 'warn' | 'error' | undefined;
  readonly detail?: string | undefined;
  readonly action?: { readonly label: string; readonly onSelect: () => void } | undefined;
  /** Replaces the toast of the same id instead of adding one. */
  readonly id?: string | undefined;
  readonly durationMs?: number | undefined;
}

const ToastView = lazyPart(async () => (await import('./toast-view.tsx')).ToastView);

/** Toasts on their way to the one host of the page, so that anything may say something. */
const onTheWay: { waiting: WaitingToast[]; tell: (() => void) | null } = { waiting: [], tell: null };

/** Says something that happened. Errors stay until they are closed. */
export function showToast(message: string, options: ToastOptions = {}): void {
  onTheWay.waiting.push({ message, options });
  onTheWay.tell?.();
}

/** Mounted once, near the root. */
export const ToastHost = memo(function ToastHost() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const tell = (): void => setCount((now) => now + 1);
    onTheWay.tell = tell;
    if (onTheWay.waiting.length > 0) tell();
    return () => {
      onTheWay.tell = null;
    };
  }, []);
  if (count === 0) return null;
  return (
    <Suspense>
      <ToastView count={count} take={takeWaiting} />
    </Suspense>
  );
});

function takeWaiting(): readonly WaitingToast[] {
  return onTheWay.waiting.splice(0);
}

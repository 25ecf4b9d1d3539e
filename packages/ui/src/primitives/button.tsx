import type { ButtonHTMLAttributes } from 'react';
import { classNames } from '../class-names.ts';

const BASE =
  'inline-flex h-9 items-center gap-2 rounded-md border border-border px-3 text-sm font-medium hover:border-accent disabled:opacity-50';

/** A push button. It is `type="button"` unless said otherwise, so that it never submits a form by accident. */
export function Button({ className, type = 'button', ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button {...rest} type={type} className={classNames(BASE, className)} />;
}

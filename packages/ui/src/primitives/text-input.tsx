import { type InputHTMLAttributes, type Ref, useId } from 'react';
import { classNames } from '../class-names.ts';

export interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: string;
  readonly labelHidden?: boolean | undefined;
  readonly hint?: string | undefined;
  readonly error?: string | null | undefined;
  readonly mono?: boolean | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly ref?: Ref<HTMLInputElement> | undefined;
}

export const FIELD =
  'w-full rounded-control border border-line-strong bg-raised px-2 text-fg text-ui placeholder:text-fg-3 focus-visible:outline-offset-0 disabled:opacity-50';

export function TextInput({
  label,
  labelHidden = false,
  hint,
  error,
  mono = false,
  className,
  onChange,
  ...rest
}: TextInputProps) {
  const id = useId();
  const below = error ?? hint;
  return (
    <div className={className}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'mb-1 block font-medium text-ui'}>
        {label}
      </label>
      <input
        {...rest}
        id={id}
        aria-invalid={error !== undefined && error !== null ? true : undefined}
        aria-describedby={below === undefined ? undefined : `${id}-below`}
        onChange={(event) => onChange(event.target.value)}
        className={classNames(FIELD, 'h-7 touch:h-11 touch:text-base', mono && 'font-mono text-code')}
      />
      {below !== undefined && (
        <p
          id={`${id}-below`}
          className={classNames(
            'mt-1 text-meta',
            error === undefined || error === null ? 'text-fg-3' : 'text-del',
          )}
        >
          {below}
        </p>
      )}
    </div>
  );
}

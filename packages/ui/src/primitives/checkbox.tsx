import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';

export interface CheckboxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly label: ReactNode;
  readonly labelHidden?: boolean | undefined;
  readonly hint?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** Some of what it stands for is chosen. */
  readonly mixed?: boolean | undefined;
}

/** The browser's own checkbox, in our colours: it works everywhere, with every reader. */
export function Checkbox({
  checked,
  onChange,
  label,
  labelHidden = false,
  hint,
  disabled = false,
  mixed = false,
}: CheckboxProps) {
  const hintId = useId();
  return (
    <label className={classNames('flex items-start gap-2 py-1 text-ui touch:py-3', disabled && 'opacity-50')}>
      <input
        type="checkbox"
        checked={checked}
        ref={(box) => {
          if (box !== null) box.indeterminate = mixed;
        }}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : hintId}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.75 size-3.5 shrink-0 accent-(--accent-fill)"
      />
      <span className={labelHidden ? 'sr-only' : 'min-w-0'}>
        {label}
        {hint !== undefined && (
          <span id={hintId} className="block text-fg-3 text-meta">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}

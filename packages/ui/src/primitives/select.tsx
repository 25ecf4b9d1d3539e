import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { classNames } from '../class-names.ts';
import { FLOATING } from './floating.ts';
import { Icon } from './icon.tsx';

export interface SelectOption<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string | undefined;
}

export interface SelectProps<T extends string> {
  readonly label: string;
  /** Keep the label for screen readers only. */
  readonly labelHidden?: boolean | undefined;
  readonly value: T;
  readonly options: readonly SelectOption<T>[];
  readonly onChange: (value: T) => void;
  readonly disabled?: boolean | undefined;
}

/** One of a few values, in a form. */
export function Select<T extends string>({
  label,
  labelHidden = false,
  value,
  options,
  onChange,
  disabled,
}: SelectProps<T>) {
  const shown = options.find((option) => option.value === value)?.label ?? value;
  return (
    <Base.Root<T>
      value={value}
      disabled={disabled ?? false}
      onValueChange={(next) => {
        if (next !== null) onChange(next);
      }}
    >
      <Base.Label className={labelHidden ? 'sr-only' : 'mb-1 block font-medium text-fg text-ui'}>
        {label}
      </Base.Label>
      <Base.Trigger className="flex h-7 w-full min-w-32 items-center justify-between gap-2 rounded-control border border-line-strong bg-raised px-2 text-left text-ui hover:bg-hover disabled:opacity-50 touch:h-11">
        <span className="truncate">{shown}</span>
        <Icon of={ChevronDown} size={14} className="text-fg-3" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup
            className={classNames(
              FLOATING,
              'max-h-[var(--available-height)] min-w-[var(--anchor-width)] overflow-y-auto p-1',
            )}
          >
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="flex min-h-7 items-center gap-2 rounded-control px-2 py-1 text-ui outline-none data-[highlighted]:bg-active touch:min-h-11"
              >
                <span className="grid size-4 place-items-center text-accent-text">
                  <Base.ItemIndicator>
                    <Icon of={Check} size={14} />
                  </Base.ItemIndicator>
                </span>
                <span className="min-w-0">
                  <Base.ItemText>{option.label}</Base.ItemText>
                  {option.hint !== undefined && (
                    <span className="block text-fg-3 text-meta">{option.hint}</span>
                  )}
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

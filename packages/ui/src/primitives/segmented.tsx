import { classNames } from '../class-names.ts';

export interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly {
    readonly value: T;
    readonly label: string;
    readonly disabledReason?: string | undefined;
  }[];
  readonly onChange: (value: T) => void;
}

/** One of two to four values, all in sight. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  return (
    <fieldset className="inline-flex rounded-control border border-line bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          disabled={option.disabledReason !== undefined}
          title={option.disabledReason}
          onClick={() => onChange(option.value)}
          className={classNames(
            'h-5.5 rounded px-2 text-meta disabled:opacity-45 touch:h-10 touch:px-3',
            option.value === value
              ? 'border border-line bg-raised font-medium text-fg'
              : 'border border-transparent text-fg-2 hover:text-fg',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}

import { classNames } from '../class-names.ts';
import { useKeysLabel } from './keys-label.ts';

export interface KbdProps {
  /** As on a Mac: `⌘K`, `⌥⇧T`, `esc`; elsewhere it reads `Ctrl+K`. */
  readonly keys: string;
  /** Without a frame, for buttons and menus. */
  readonly quiet?: boolean | undefined;
  /** Also on a touch screen. */
  readonly always?: boolean | undefined;
}

/** A keyboard shortcut, as drawn on the keys. */
export function Kbd({ keys, quiet = false, always = false }: KbdProps) {
  const label = useKeysLabel(keys);
  return (
    <kbd
      className={classNames(
        'font-sans text-meta leading-4',
        // On a touch screen keys only matter where they are what is asked for.
        !always && 'touch:hidden',
        quiet ? 'text-current' : 'rounded border border-line bg-sunken px-1 text-fg-2',
      )}
    >
      {label}
    </kbd>
  );
}

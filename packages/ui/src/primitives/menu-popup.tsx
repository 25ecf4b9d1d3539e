import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { classNames } from '../class-names.ts';
import { FLOATING } from './floating.ts';
import { Icon } from './icon.tsx';
import { Kbd } from './kbd.tsx';
import type { MenuChoice, MenuEntry, MenuProps } from './menu.tsx';

const ROW =
  'flex min-h-7 w-full select-none items-center gap-2 rounded-control px-2 py-1 text-left text-ui outline-none data-[highlighted]:bg-active data-[disabled]:text-fg-3 touch:min-h-11';

/** The menu itself: it is first drawn when it is opened. */
export function MenuPopup({ trigger, entries, align = 'start', side = 'bottom' }: MenuProps) {
  const hasIcons = entries.some((entry) => 'icon' in entry && entry.icon !== undefined);
  return (
    <Base.Root defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Base.Popup
            className={classNames(
              FLOATING,
              'max-h-[var(--available-height)] min-w-48 max-w-96 overflow-y-auto p-1',
            )}
          >
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} hasIcons={hasIcons} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Entry({ entry, hasIcons }: { readonly entry: MenuEntry; readonly hasIcons: boolean }) {
  if (entry.kind === 'line') return <Base.Separator className="-mx-1 my-1 h-px bg-line" />;
  if (entry.kind === 'heading') {
    return <div className="px-2 pt-1.5 pb-0.5 text-fg-3 text-meta">{entry.label}</div>;
  }
  if (entry.kind === 'choice') return <Choice entry={entry} />;
  const blocked = entry.disabledReason !== undefined && entry.disabledReason !== null;
  return (
    <Base.Item
      className={classNames(ROW, entry.danger === true && !blocked && 'text-del')}
      disabled={blocked}
      onClick={entry.onSelect}
    >
      {hasIcons && <span className="w-4 shrink-0 text-fg-3">{entry.icon}</span>}
      <Label text={entry.label} below={entry.disabledReason ?? undefined} />
      {entry.shortcut !== undefined && <Kbd keys={entry.shortcut} quiet />}
    </Base.Item>
  );
}

function Choice({ entry }: { readonly entry: MenuChoice }) {
  return (
    <Base.CheckboxItem
      className={ROW}
      checked={entry.selected}
      closeOnClick
      disabled={entry.disabledReason !== undefined && entry.disabledReason !== null}
      onClick={entry.onSelect}
    >
      <span className="grid size-4 place-items-center text-accent-text">
        <Base.CheckboxItemIndicator>
          <Icon of={Check} size={14} />
        </Base.CheckboxItemIndicator>
      </span>
      <Label text={entry.label} below={entry.disabledReason ?? entry.hint} />
    </Base.CheckboxItem>
  );
}

function Label({ text, below }: { readonly text: string; readonly below?: string | undefined }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate">{text}</span>
      {below !== undefined && <span className="block text-pretty text-fg-2 text-meta">{below}</span>}
    </span>
  );
}

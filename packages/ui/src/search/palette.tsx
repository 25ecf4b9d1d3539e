import { Dialog as Base } from '@base-ui/react/dialog';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Icon } from '../primitives/icon.tsx';
import { Kbd } from '../primitives/kbd.tsx';
import { StateDot, type StateKind } from '../primitives/state-dot.tsx';

export interface PaletteCommand {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly shortcut?: string | undefined;
  readonly icon?: ReactNode | undefined;
  readonly onRun: () => void;
}

export interface PaletteStrand {
  readonly id: string;
  readonly title: string;
  /** Folder and agent, in small. */
  readonly detail: string;
  readonly state: StateKind;
}

export interface PaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly commands: readonly PaletteCommand[];
  /** Newest first; all of them, the palette filters and cuts. */
  readonly strands: readonly PaletteStrand[];
  readonly onOpenStrand: (id: string) => void;
  readonly placeholder?: string | undefined;
}

const MAX_STRANDS = 40;
const ROW =
  'flex min-h-8 select-none items-center gap-2.5 rounded-control px-2 text-ui data-[selected=true]:bg-active touch:min-h-11';
const GROUP =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-fg-3 [&_[cmdk-group-heading]]:text-meta';

/** Everything by name: commands with their shortcuts, sessions by title and folder. */
export function Palette({
  open,
  onOpenChange,
  commands,
  strands,
  onOpenStrand,
  placeholder = 'Go to a session or do something',
}: PaletteProps) {
  const [query, setQuery] = useState('');
  const groups = Map.groupBy(commands, ({ group }) => group);
  const found = filterStrands(strands, query).slice(0, MAX_STRANDS);
  const close = (run: () => void) => (): void => {
    onOpenChange(false);
    run();
  };
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Base.Popup className="fixed inset-x-2 top-2 z-50 mx-auto flex max-h-[calc(100dvh-16px)] max-w-160 flex-col overflow-hidden rounded-panel border border-line bg-raised text-fg shadow-float transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0 sm:top-[12dvh] sm:max-h-[70dvh]">
          <Base.Title className="sr-only">Commands and sessions</Base.Title>
          <Command
            label="Commands and sessions"
            shouldFilter={query !== ''}
            filter={rank}
            loop
            className="flex min-h-0 flex-col"
          >
            <div className="flex items-center gap-2 border-line border-b px-3">
              <Icon of={Search} className="text-fg-3" />
              <Command.Input
                value={query}
                onValueChange={setQuery}
                placeholder={placeholder}
                className="h-11 min-w-0 flex-1 bg-transparent text-prose outline-none placeholder:text-fg-3 touch:text-base"
              />
              <Kbd keys="esc" />
            </div>
            <Command.List className="min-h-0 overflow-y-auto overscroll-contain p-1">
              <Command.Empty className="px-3 py-8 text-center text-fg-2 text-ui">
                Nothing fits. Try a part of a title or a folder.
              </Command.Empty>
              {found.length > 0 && (
                <Command.Group heading="Open a session" forceMount className={GROUP}>
                  {found.map((strand) => (
                    <Command.Item
                      key={strand.id}
                      value={`strand ${strand.id}`}
                      keywords={[strand.title, strand.detail]}
                      forceMount
                      onSelect={close(() => onOpenStrand(strand.id))}
                      className={ROW}
                    >
                      <StateDot state={strand.state} />
                      <span className="min-w-0 flex-1 truncate">{strand.title}</span>
                      <span className="max-w-[45%] truncate text-fg-2 text-meta">{strand.detail}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
              {[...groups].map(([group, list]) => (
                <Command.Group key={group} heading={group} className={GROUP}>
                  {list.map((command) => (
                    <Command.Item
                      key={command.id}
                      value={command.id}
                      keywords={[command.title]}
                      onSelect={close(command.onRun)}
                      className={ROW}
                    >
                      {command.icon !== undefined && <span className="text-fg-3">{command.icon}</span>}
                      <span className="min-w-0 flex-1 truncate">{command.title}</span>
                      {command.shortcut !== undefined && <Kbd keys={command.shortcut} />}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** All words must be there, in any order; ids are never searched. */
export function rank(_value: string, search: string, keywords: readonly string[] = []): number {
  const text = keywords.join(' ').toLowerCase();
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (!words.every((word) => text.includes(word))) return 0;
  return text.startsWith(words[0] ?? '') ? 1 : 0.5;
}

function filterStrands(strands: readonly PaletteStrand[], query: string): readonly PaletteStrand[] {
  if (query.trim() === '') return strands.slice(0, 8);
  const found: PaletteStrand[] = [];
  for (const strand of strands) {
    if (rank('', query, [strand.title, strand.detail]) > 0) found.push(strand);
    if (found.length === MAX_STRANDS) break;
  }
  return found;
}

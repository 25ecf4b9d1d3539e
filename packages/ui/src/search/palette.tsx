import { Dialog as Base } from '@base-ui/react/dialog';
import { Command } from 'cmdk';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '../format.ts';
import { Icon } from '../primitives/icon.tsx';
import { Kbd } from '../primitives/kbd.tsx';
import { CommandItem, type PaletteCommand, type PaletteStrand, StrandItem } from './palette-rows.tsx';
import { type PaletteResults, usePaletteResults } from './use-palette-results.ts';

export interface PaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  /** None: only sessions are searched, and the palette says so. */
  readonly commands: readonly PaletteCommand[];
  /** Newest first; all of them, the palette filters and cuts. */
  readonly strands: readonly PaletteStrand[];
  readonly onOpenStrand: (id: string) => void;
  /** The present, for "2 h" beside a session; absent: no times. */
  readonly nowMs?: number | undefined;
  readonly placeholder?: string | undefined;
}

const GROUP =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-fg-3 [&_[cmdk-group-heading]]:text-meta';

/** Everything by name: commands with their shortcuts, sessions by title, folder and agent. */
export function Palette(props: PaletteProps) {
  const { open, onOpenChange, commands } = props;
  const name = commands.length === 0 ? 'Sessions' : 'Commands and sessions';
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Base.Popup className="fixed inset-x-2 top-2 z-50 mx-auto flex max-h-[calc(100dvh-16px)] max-w-160 flex-col overflow-hidden rounded-panel border border-line bg-raised text-fg shadow-float transition-opacity data-[ending-style]:opacity-0 data-[starting-style]:opacity-0 sm:top-[12dvh] sm:max-h-[70dvh]">
          <Base.Title className="sr-only">{name}</Base.Title>
          <PaletteList {...props} name={name} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function PaletteList(props: PaletteProps & { readonly name: string }) {
  const { commands, strands, name, placeholder } = props;
  const [query, setQuery] = useState('');
  const results = usePaletteResults({ commands, strands }, query);
  const [selected, setSelected] = useState<string | null>(null);
  const close = (run: () => void) => (): void => {
    props.onOpenChange(false);
    run();
  };
  const sessions = (
    <Sessions
      key="sessions"
      results={results}
      isTyped={query.trim() !== ''}
      nowMs={props.nowMs}
      onOpen={(id) => close(() => props.onOpenStrand(id))()}
    />
  );
  const actions = results.groups.map(({ heading, commands: list }) => (
    <Command.Group key={heading} heading={heading} className={GROUP}>
      {list.map((command) => (
        <CommandItem key={command.id} command={command} onSelect={close(command.onRun)} />
      ))}
    </Command.Group>
  ));
  return (
    <Command
      label={name}
      shouldFilter={false}
      loop
      value={selected ?? results.first}
      onValueChange={setSelected}
      className="flex min-h-0 flex-col"
    >
      <div className="flex items-center gap-2 border-line border-b px-3">
        <Icon of={Search} className="text-fg-3" />
        <Command.Input
          value={query}
          onValueChange={(next) => {
            setQuery(next);
            setSelected(null);
          }}
          placeholder={placeholder ?? placeholderFor(commands.length > 0)}
          className="h-11 min-w-0 flex-1 bg-transparent text-prose outline-none placeholder:text-fg-3 touch:text-base"
        />
        <Kbd keys="esc" />
      </div>
      <Command.List className="min-h-0 overflow-y-auto overscroll-contain p-1">
        {results.first === '' && <Nothing isTyped={query.trim() !== ''} />}
        {results.commandsFirst ? [actions, sessions] : [sessions, actions]}
      </Command.List>
      <p role="status" className="sr-only">
        {query.trim() === '' ? '' : countWords(results)}
      </p>
    </Command>
  );
}

interface SessionsProps {
  readonly results: PaletteResults;
  readonly isTyped: boolean;
  readonly nowMs: number | undefined;
  readonly onOpen: (id: string) => void;
}

function Sessions({ results: { strands, total }, isTyped, nowMs, onOpen }: SessionsProps) {
  if (strands.length === 0) return null;
  const cut =
    isTyped && total > strands.length
      ? `, the first ${formatCount(strands.length)} of ${formatCount(total)}`
      : '';
  return (
    <Command.Group heading={isTyped ? `Sessions${cut}` : 'Recent sessions'} className={GROUP}>
      {strands.map((strand) => (
        <StrandItem key={strand.id} strand={strand} nowMs={nowMs} onSelect={() => onOpen(strand.id)} />
      ))}
    </Command.Group>
  );
}

function Nothing({ isTyped }: { readonly isTyped: boolean }) {
  return (
    <p className="text-pretty px-3 py-8 text-center text-fg-2 text-ui">
      {isTyped ? 'Nothing fits. Try a part of a title, a folder or an agent.' : 'There are no sessions yet.'}
    </p>
  );
}

function placeholderFor(hasCommands: boolean): string {
  return hasCommands ? 'Go to a session or do something' : 'Search sessions by title, folder or agent';
}

function countWords({ total, groups }: PaletteResults): string {
  const commands = groups.reduce((sum, { commands: list }) => sum + list.length, 0);
  return `${formatCount(total)} sessions, ${formatCount(commands)} commands`;
}

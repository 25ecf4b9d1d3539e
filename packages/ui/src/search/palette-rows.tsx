import { Command } from 'cmdk';
import type { ReactNode } from 'react';
import { formatAgo, formatDateTime } from '../format.ts';
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
  /** When it last changed, ISO 8601. Shown when the palette is told the present. */
  readonly at?: string | undefined;
}

const ROW =
  'flex min-h-8 select-none items-center gap-2.5 rounded-control px-2 text-ui data-[selected=true]:bg-active touch:min-h-11';

export interface StrandItemProps {
  readonly strand: PaletteStrand;
  readonly nowMs: number | undefined;
  readonly onSelect: () => void;
}

export function StrandItem({ strand: { id, title, detail, state, at }, nowMs, onSelect }: StrandItemProps) {
  return (
    <Command.Item value={valueOfStrand(id)} onSelect={onSelect} className={ROW}>
      <StateDot state={state} />
      <span className="flex min-w-0 flex-1 flex-col py-1 sm:flex-row sm:items-center sm:gap-2.5 sm:py-0">
        <span className="truncate sm:flex-1">{title}</span>
        <span className="truncate text-fg-2 text-meta sm:max-w-[45%]">{detail}</span>
      </span>
      {at !== undefined && nowMs !== undefined && (
        <time
          dateTime={at}
          title={formatDateTime(at)}
          className="tabular w-12 shrink-0 text-right text-fg-2 text-meta"
        >
          {formatAgo(at, nowMs)}
        </time>
      )}
    </Command.Item>
  );
}

export interface CommandItemProps {
  readonly command: PaletteCommand;
  readonly onSelect: () => void;
}

export function CommandItem({ command: { id, title, shortcut, icon }, onSelect }: CommandItemProps) {
  return (
    <Command.Item value={valueOfCommand(id)} onSelect={onSelect} className={ROW}>
      {icon !== undefined && <span className="text-fg-2">{icon}</span>}
      <span className="min-w-0 flex-1 truncate">{title}</span>
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </Command.Item>
  );
}

/** Commands and sessions share one list: their ids must not meet. */
export function valueOfStrand(id: string): string {
  return `strand ${id}`;
}

export function valueOfCommand(id: string): string {
  return `command ${id}`;
}

import { X } from 'lucide-react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from './icon.tsx';
import { StateDot, type StateKind } from './state-dot.tsx';

export interface TabItem {
  readonly id: string;
  readonly title: string;
  readonly state: StateKind;
  readonly unread: boolean;
}

export interface TabStripProps {
  readonly label: string;
  readonly tabs: readonly TabItem[];
  readonly active: string | null;
  readonly onSelect: (id: string) => void;
  readonly onClose: (id: string) => void;
  /** `id` is put before `before`, or at the end when that is null. */
  readonly onMove: (id: string, before: string | null) => void;
  /** Buttons right of the tabs. */
  readonly children?: ReactNode | undefined;
}

const STEPS: Record<string, number | undefined> = { ArrowRight: 1, ArrowLeft: -1 };

/** Open sessions. Drag or ⌥⇧←→ reorders, middle click closes. */
export function TabStrip({ label, tabs, active, onSelect, onClose, onMove, children }: TabStripProps) {
  const step = (index: number, by: number): void => {
    const next = tabs[(index + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    onSelect(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, index: number): void => {
    const tab = tabs[index];
    const by = STEPS[event.key];
    if (tab === undefined) return;
    if (event.key === 'Delete') onClose(tab.id);
    if (by === undefined) return;
    event.preventDefault();
    if (event.altKey && event.shiftKey) onMove(tab.id, tabs[by === 1 ? index + 2 : index - 1]?.id ?? null);
    else step(index, by);
  };
  return (
    <div className="flex h-9 items-stretch border-line border-b bg-sunken touch:h-11">
      <div
        role="tablist"
        aria-label={label}
        className="flex min-w-0 flex-1 items-stretch overflow-x-auto [scrollbar-width:none]"
      >
        {tabs.map((tab, index) => (
          <Tab
            key={tab.id}
            tab={tab}
            selected={tab.id === active}
            onSelect={() => onSelect(tab.id)}
            onClose={() => onClose(tab.id)}
            onMove={onMove}
            onKeyDown={(event) => onKeyDown(event, index)}
          />
        ))}
      </div>
      {children !== undefined && <div className="flex shrink-0 items-center gap-0.5 px-1">{children}</div>}
    </div>
  );
}

interface TabProps {
  readonly tab: TabItem;
  readonly selected: boolean;
  readonly onSelect: () => void;
  readonly onClose: () => void;
  readonly onMove: (id: string, before: string | null) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function Tab({ tab, selected, onSelect, onClose, onMove, onKeyDown }: TabProps) {
  const closeOnMiddle = (event: MouseEvent): void => {
    if (event.button === 1) onClose();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer's way; ⌥⇧←→ and Delete are the keyboard's
    <div
      role="presentation"
      draggable
      onAuxClick={closeOnMiddle}
      onDragStart={(event) => event.dataTransfer.setData('text/skein-tab', tab.id)}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('text/skein-tab')) event.preventDefault();
      }}
      onDrop={(event) => {
        const moved = event.dataTransfer.getData('text/skein-tab');
        if (moved !== '' && moved !== tab.id) onMove(moved, tab.id);
      }}
      className={classNames(
        'group relative flex min-w-24 max-w-56 shrink-0 items-center border-line border-r',
        selected ? 'bg-bg text-fg' : 'text-fg-2 hover:bg-hover hover:text-fg',
      )}
    >
      {selected && <span aria-hidden="true" className="absolute inset-x-0 -top-px h-0.5 bg-accent" />}
      <button
        type="button"
        role="tab"
        data-testid="tab"
        id={`tab-${tab.id}`}
        aria-selected={selected}
        aria-keyshortcuts="Delete"
        tabIndex={selected ? 0 : -1}
        title={tab.title}
        onClick={onSelect}
        onKeyDown={onKeyDown}
        className="flex h-full min-w-0 flex-1 items-center gap-1.5 pl-2.5 text-left text-ui focus-visible:-outline-offset-2"
      >
        <StateDot state={tab.state} />
        <span className={classNames('truncate', tab.unread && !selected && 'font-medium text-fg')}>
          {tab.title}
        </span>
        {tab.unread && <span className="sr-only">, something new</span>}
      </button>
      {/* Not a child that a tab list may have, so readers do not see it; their way is the Delete key. */}
      <button
        type="button"
        tabIndex={-1}
        aria-hidden="true"
        data-tip={`Close ${tab.title}`}
        data-tip-keys={selected ? '⌥W' : undefined}
        onClick={onClose}
        className={classNames(
          'mx-1 grid size-6 shrink-0 place-items-center rounded-control text-fg-2 hover:bg-hover hover:text-fg touch:size-11',
          !selected && 'opacity-0 group-hover:opacity-100 touch:opacity-100',
        )}
      >
        <Icon of={X} size={14} />
      </button>
    </div>
  );
}

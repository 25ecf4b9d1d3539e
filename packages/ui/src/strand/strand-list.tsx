import type { StrandSummary } from '@skein/core/protocol/strands';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronRight, Plus } from 'lucide-react';
import { type KeyboardEvent, memo, useMemo, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../primitives/icon.tsx';
import { IconButton } from '../primitives/icon-button.tsx';
import type { MenuEntry } from '../primitives/menu.tsx';
import { type StrandListRow, strandRows } from './strand-groups.ts';
import { StrandRow } from './strand-row.tsx';

export interface StrandListProps {
  readonly summaries: readonly StrandSummary[];
  readonly selected: string | null;
  readonly unread: ReadonlySet<string>;
  readonly closedFolders: ReadonlySet<string>;
  readonly nowMs: number;
  /** `aside`: with ⌘ or Ctrl, beside what is open. */
  readonly onOpen: (id: StrandSummary['id'], aside: boolean) => void;
  readonly onToggleFolder: (cwd: string) => void;
  readonly onNewIn?: ((cwd: string) => void) | undefined;
  /** Must be stable, for rows to be skipped. */
  readonly menu?: ((summary: StrandSummary) => readonly MenuEntry[]) | undefined;
}

/** All sessions by folder. Ten thousand rows are as quick as ten: only those in sight exist. */
export const StrandList = memo(function StrandList(props: StrandListProps) {
  const { summaries, selected, unread, closedFolders, nowMs, onOpen, onToggleFolder, onNewIn, menu } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => strandRows(summaries, closedFolders), [summaries, closedFolders]);
  const isTouch = typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (isTouch ? 44 : rows[index]?.kind === 'folder' ? 32 : 28),
    getItemKey: (index) => keyOf(rows[index], index),
    overscan: 12,
    paddingEnd: 12,
  });
  const first = rows.findIndex((row) => row.kind === 'strand');
  const current = rows.findIndex((row) => row.kind === 'strand' && row.summary.id === selected);
  const tabStop = current === -1 ? first : current;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the rows
    <div
      ref={scroller}
      onKeyDown={moveByKeys}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-1.5"
    >
      <ul aria-label="Sessions" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start, size }) => {
          const row = rows[index];
          return (
            <li
              key={key}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)`, height: size }}
            >
              {row?.kind === 'folder' && <Folder row={row} onToggle={onToggleFolder} onNew={onNewIn} />}
              {row?.kind === 'strand' && (
                <StrandRow
                  summary={row.summary}
                  selected={row.summary.id === selected}
                  unread={unread.has(row.summary.id)}
                  nowMs={nowMs}
                  tabStop={index === tabStop}
                  onOpen={onOpen}
                  menu={menu}
                />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
});

function keyOf(row: StrandListRow | undefined, index: number): string | number {
  if (row === undefined) return index;
  return row.kind === 'folder' ? `folder ${row.cwd}` : row.summary.id;
}

interface FolderProps {
  readonly row: Extract<StrandListRow, { kind: 'folder' }>;
  readonly onToggle: (cwd: string) => void;
  readonly onNew: ((cwd: string) => void) | undefined;
}

function Folder({ row: { cwd, label, count, open }, onToggle, onNew }: FolderProps) {
  return (
    <div className="group/folder flex h-full items-end pb-0.5">
      <button
        type="button"
        aria-expanded={open}
        title={cwd}
        onClick={() => onToggle(cwd)}
        className="flex h-6.5 min-w-0 flex-1 items-center gap-1 rounded-control pl-1 text-left text-fg-3 text-meta hover:text-fg touch:h-10"
      >
        <Icon
          of={ChevronRight}
          size={14}
          className={classNames('transition-transform', open && 'rotate-90')}
        />
        <span className="min-w-0 truncate font-medium">{label}</span>
        {!open && <span className="tabular">{count}</span>}
      </button>
      {onNew !== undefined && (
        <IconButton
          size="sm"
          label={`New session in ${label}`}
          icon={<Icon of={Plus} size={14} />}
          onClick={() => onNew(cwd)}
          className="opacity-0 focus-visible:opacity-100 group-hover/folder:opacity-100 touch:opacity-100"
        />
      )}
    </div>
  );
}

/** Up and down between the rows in sight and those that are drawn beyond it. */
function moveByKeys(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [
    ...event.currentTarget.querySelectorAll<HTMLElement>('button[data-strand], button[aria-expanded]'),
  ];
  const sorted = buttons.toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
  const at = sorted.indexOf(document.activeElement as HTMLElement);
  const next = sorted[at + step];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
}

import type { StrandSummary } from '@skein/core/protocol/strands';
import { Ellipsis, Pin } from 'lucide-react';
import { memo } from 'react';
import { classNames } from '../class-names.ts';
import { formatAgo, formatDateTime } from '../format.ts';
import { Icon } from '../primitives/icon.tsx';
import { IconButton } from '../primitives/icon-button.tsx';
import { Menu, type MenuEntry } from '../primitives/menu.tsx';
import { STATE_WORDS, StateDot, type StateKind } from '../primitives/state-dot.tsx';

export interface StrandRowProps {
  readonly summary: StrandSummary;
  readonly selected: boolean;
  readonly unread?: boolean | undefined;
  readonly nowMs: number;
  /** In a list with one tab stop: whether this row has it. */
  readonly tabStop: boolean;
  readonly onOpen: (id: StrandSummary['id'], aside: boolean) => void;
  /** Asked when the menu opens. */
  readonly menu?: ((summary: StrandSummary) => readonly MenuEntry[]) | undefined;
}

/** One session in the sidebar: state, title, agent, when. */
export const StrandRow = memo(function StrandRow(props: StrandRowProps) {
  const { summary, selected, unread = false, nowMs, tabStop, onOpen, menu } = props;
  const state = stateOf(summary);
  const title = summary.name ?? (summary.title === '' ? 'New session' : summary.title);
  const loud = state === 'running' || state === 'waiting' || state === 'failed';
  return (
    <div
      data-testid="strand-row"
      className={classNames(
        'group/row relative flex h-7 items-center rounded-control pr-1 pl-2 touch:h-11',
        selected ? 'bg-active text-fg' : 'text-fg-2 hover:bg-hover hover:text-fg',
      )}
    >
      <button
        type="button"
        data-strand={summary.id}
        aria-current={selected ? 'page' : undefined}
        tabIndex={tabStop ? 0 : -1}
        title={`${title}\n${STATE_WORDS[state]}, ${summary.agent}, ${formatDateTime(summary.updatedAt)}`}
        onClick={(event) => onOpen(summary.id, event.metaKey || event.ctrlKey)}
        className="flex h-full min-w-0 flex-1 items-center gap-2 text-left outline-none after:absolute after:inset-0 after:rounded-control focus-visible:after:outline-2 focus-visible:after:outline-focus"
      >
        <StateDot state={state} />
        <span
          className={classNames(
            'min-w-0 flex-1 truncate',
            (unread || state === 'waiting') && 'font-medium text-fg',
          )}
        >
          {title}
        </span>
        {unread && <span className="sr-only">, something new</span>}
        {summary.pinned && <Icon of={Pin} size={14} className="text-fg-3" />}
        {loud ? (
          <span className={classNames('shrink-0 text-meta', LOUD[state])}>{STATE_WORDS[state]}</span>
        ) : (
          <span className="tabular shrink-0 text-fg-3 text-meta">{formatAgo(summary.updatedAt, nowMs)}</span>
        )}
        <AgentMark agent={summary.agent} />
      </button>
      {menu !== undefined && (
        <span className="relative z-1 ml-0.5 hidden focus-within:block group-hover/row:block has-[[aria-expanded=true]]:block touch:block">
          <Menu
            align="end"
            entries={menu(summary)}
            trigger={
              <IconButton
                size="sm"
                tabIndex={-1}
                label={`Actions for ${title}`}
                icon={<Icon of={Ellipsis} size={14} />}
              />
            }
          />
        </span>
      )}
    </div>
  );
});

const LOUD = { running: 'text-accent-text', waiting: 'text-warn', failed: 'text-del' };

/** Two letters in a frame: the name is in the title. */
function AgentMark({ agent }: { readonly agent: string }) {
  return (
    <span
      aria-hidden="true"
      className="w-4.5 shrink-0 rounded-xs bg-active text-center font-mono text-[10.5px] text-fg-2 leading-4"
    >
      {agent.slice(0, 2)}
    </span>
  );
}

function stateOf({ state, readOnly }: StrandSummary): StateKind {
  if (state === 'idle') return readOnly === null ? 'idle' : 'readonly';
  return state;
}

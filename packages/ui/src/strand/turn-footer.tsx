import type { TurnBlock } from '@skein/core/document/blocks';
import type { ActionState } from '@skein/core/protocol/restore';
import { Ellipsis, GitFork, History, Link, Redo2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { formatCost, formatDuration, formatTokens, plural } from '../format.ts';
import { Button } from '../primitives/button.tsx';
import { ChangeBar } from '../primitives/change-bar.tsx';
import { ChangeCount } from '../primitives/change-count.tsx';
import { Icon } from '../primitives/icon.tsx';
import { IconButton } from '../primitives/icon-button.tsx';
import { Menu, type MenuEntry } from '../primitives/menu.tsx';
import { type TurnActions, useServices } from './services.tsx';

const OUTCOMES: Partial<
  Record<NonNullable<TurnBlock['outcome']>, { readonly word: string; readonly tone: string }>
> = {
  failed: { word: 'failed', tone: 'text-del' },
  aborted: { word: 'stopped by you', tone: 'text-fg-2' },
  interrupted: { word: 'cut off by a crash', tone: 'text-warn' },
  limit: { word: 'stopped at a limit', tone: 'text-warn' },
};

/** What a turn changed and cost, and what can be done with it. */
export function TurnFooter({ block }: { readonly block: TurnBlock }) {
  const { actions, actionState } = useServices();
  const { turn, files, outcome, check } = block;
  if (turn === null) return null;
  const ended = outcome === null ? undefined : OUTCOMES[outcome];
  return (
    <footer className="mt-2 flex min-h-6 flex-wrap items-center gap-x-3 gap-y-0.5 text-fg-2 text-meta">
      {files.length > 0 && <Files block={block} onShow={actions.onShowChanges} />}
      {ended !== undefined && <span className={ended.tone}>{ended.word}</span>}
      {check !== null && (
        <span className={check.passed ? 'text-add' : 'text-del'} title={check.command}>
          {check.passed ? '✓ check passed' : '✕ check failed'}
        </span>
      )}
      <span className="-ml-1.5 flex items-center">
        <UndoButton block={block} actions={actions} state={actionState} />
        <TurnMenu block={block} actions={actions} />
      </span>
      <span className="flex-1" />
      <Numbers block={block} />
    </footer>
  );
}

function Files({
  block,
  onShow,
}: {
  readonly block: TurnBlock;
  readonly onShow: TurnActions['onShowChanges'];
}) {
  const { turn, files, added, removed } = block;
  const text = (
    <>
      {plural(files.length, 'file')}
      <ChangeCount added={added} removed={removed} />
      <ChangeBar added={added} removed={removed} />
    </>
  );
  const layout = 'flex h-6 items-center gap-2';
  if (turn === null || onShow === undefined) return <span className={layout}>{text}</span>;
  return (
    <button
      type="button"
      onClick={() => onShow(turn)}
      className={classNames(
        layout,
        '-mx-1.5 rounded-control px-1.5 hover:bg-hover hover:text-fg touch:min-h-11',
      )}
    >
      {text}
    </button>
  );
}

interface ActionProps {
  readonly block: TurnBlock;
  readonly actions: TurnActions;
  readonly state: ActionState | null;
}

function UndoButton(props: ActionProps) {
  const { turn, undo, running } = props.block;
  if (turn === null || running) return null;
  return undo === null ? <Undo {...props} turn={turn} /> : <Redo {...props} undo={undo} />;
}

function Redo({
  block,
  actions,
  state,
  undo,
}: ActionProps & { readonly undo: NonNullable<TurnBlock['undo']> }) {
  const { onRedo } = actions;
  const isNext = state?.redo.op === undo.op;
  // Once the conversation went on, only files can come back.
  const canReturn = isNext || (undo.files && block.files.length > 0);
  if (onRedo === undefined || !canReturn) return null;
  return (
    <Quick
      icon={<Icon of={Redo2} size={14} />}
      shortcut={isNext ? '⌘⇧Z' : undefined}
      reason={isNext ? blocked(state?.redo) : null}
      onClick={() => onRedo(undo.op)}
    >
      Redo
    </Quick>
  );
}

function Undo({
  block,
  actions,
  state,
  turn,
}: ActionProps & { readonly turn: NonNullable<TurnBlock['turn']> }) {
  const { onUndo } = actions;
  const isNext = state?.undo.turn === turn;
  // An older turn is undone by its files; without any there is nothing that Skein could take back.
  const canUndo = block.standing === 'path' && (isNext || block.files.length > 0);
  if (onUndo === undefined || !canUndo) return null;
  return (
    <Quick
      icon={<Icon of={Undo2} size={14} />}
      shortcut={isNext ? '⌘Z' : undefined}
      reason={blocked(state?.undo)}
      onClick={() => onUndo(turn)}
    >
      Undo
    </Quick>
  );
}

function blocked(
  action: { readonly enabled: boolean; readonly reason: string | null } | undefined,
): string | null {
  return action === undefined || action.enabled ? null : (action.reason ?? 'This is not possible now.');
}

interface QuickProps {
  readonly icon: ReactNode;
  readonly shortcut: string | undefined;
  readonly reason: string | null;
  readonly onClick: () => void;
  readonly children: string;
}

function Quick({ icon, shortcut, reason, onClick, children }: QuickProps) {
  return (
    <Button
      size="sm"
      variant="ghost"
      icon={icon}
      shortcut={shortcut}
      disabledReason={reason}
      onClick={onClick}
      className="px-1.5"
    >
      {children}
    </Button>
  );
}

function TurnMenu({ block, actions }: { readonly block: TurnBlock; readonly actions: TurnActions }) {
  const { turn } = block;
  if (turn === null) return null;
  const { onFork, onRewind, onCopyLink, onRestoreTo, onRetry } = actions;
  const entries: MenuEntry[] = [];
  if (onFork !== undefined) {
    entries.push({
      id: 'fork',
      label: 'Fork from here',
      icon: <Icon of={GitFork} />,
      shortcut: 'F',
      onSelect: () => onFork(turn),
    });
  }
  if (onRewind !== undefined)
    entries.push({ id: 'rewind', label: 'Rewind to here', onSelect: () => onRewind(turn) });
  if (onRestoreTo !== undefined && block.standing === 'path' && block.outcome !== null) {
    entries.push({
      id: 'restore-to',
      label: 'Restore files to here',
      icon: <Icon of={History} />,
      onSelect: () => onRestoreTo(turn),
    });
  }
  if (onRetry !== undefined && block.outcome !== null && block.outcome !== 'done') {
    entries.push({ id: 'retry', label: 'Send this prompt again', onSelect: () => onRetry(block) });
  }
  if (onCopyLink !== undefined) {
    entries.push({
      id: 'link',
      label: 'Copy link to this turn',
      icon: <Icon of={Link} />,
      onSelect: () => onCopyLink(turn),
    });
  }
  if (entries.length === 0) return null;
  return (
    <Menu
      entries={entries}
      trigger={<IconButton size="sm" label="More for this turn" icon={<Icon of={Ellipsis} size={14} />} />}
    />
  );
}

function Numbers({ block: { durationMs, usage, cost, model } }: { readonly block: TurnBlock }) {
  const numbers = [
    model,
    usage === null ? null : `${formatTokens(usage.input)} in, ${formatTokens(usage.output)} out`,
    cost === 0 ? null : formatCost(cost),
    durationMs === null ? null : formatDuration(durationMs),
  ].filter((part) => part !== null);
  return (
    <span className="tabular flex flex-wrap gap-x-3 font-mono text-[11.5px] text-fg-3">
      {numbers.map((part) => (
        <span key={part}>{part}</span>
      ))}
    </span>
  );
}

import type { TurnBlock } from '@skein/core/document/blocks';
import type { ActionState, Operation, TurnDiff } from '@skein/core/protocol/restore';
import type { OpId, TurnId } from '@skein/core/record/ids';
import { contentHead } from '@skein/core/record/parts';
import { ChevronDown, Redo2, Undo2 } from 'lucide-react';
import { memo, useState } from 'react';
import { plural } from '../format.ts';
import { Button } from '../primitives/button.tsx';
import { ChangeBar } from '../primitives/change-bar.tsx';
import { ChangeCount } from '../primitives/change-count.tsx';
import { EmptyState } from '../primitives/empty-state.tsx';
import { ErrorBox } from '../primitives/error-box.tsx';
import { Icon } from '../primitives/icon.tsx';
import { Menu, type MenuEntry } from '../primitives/menu.tsx';
import { Segmented } from '../primitives/segmented.tsx';
import { Skeleton } from '../primitives/skeleton.tsx';
import { CoverageNotice } from '../strand/coverage-notice.tsx';
import { ChangeList } from './change-list.tsx';
import { OperationList } from './operation-list.tsx';

export interface ChangesPanelProps {
  /** The turns that changed files, oldest first. */
  readonly turns: readonly TurnBlock[];
  /** The turn that is shown; null for the whole session. */
  readonly turn: TurnId | null;
  readonly onTurn: (turn: TurnId | null) => void;
  readonly diff: TurnDiff | null;
  readonly loading: boolean;
  /** A sentence; null when all is well. */
  readonly problem: string | null;
  readonly onRetry: () => void;
  readonly actionState: ActionState | null;
  readonly onUndo?: ((turn: TurnId) => void) | undefined;
  readonly onRedo?: ((op: OpId) => void) | undefined;
  /** Files as they were at the end of the turn. */
  readonly onRestoreTo?: ((turn: TurnId) => void) | undefined;
  readonly openFile?: ((path: string) => void) | undefined;
  /** Undo history; null while it is loading. */
  readonly operations: readonly Operation[] | null;
}

/** What changed, in one turn or in the whole session. */
export const ChangesPanel = memo(function ChangesPanel(props: ChangesPanelProps) {
  const { turns, turn, onTurn, diff } = props;
  const [isHistory, showHistory] = useState(false);
  const block = turns.find((candidate) => candidate.turn === turn);
  const last = turns.at(-1)?.turn ?? null;
  return (
    <section aria-label="Changes" data-testid="changes-panel" className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-col gap-2 border-line border-b px-3 py-2">
        <div className="flex items-center gap-2">
          <Segmented
            label="What to show"
            value={isHistory ? 'history' : turn === null ? 'session' : 'turn'}
            options={[
              {
                value: 'turn',
                label: 'Turn',
                ...(last === null ? { disabledReason: 'No turn changed files.' } : {}),
              },
              { value: 'session', label: 'Session' },
              { value: 'history', label: 'Undo history' },
            ]}
            onChange={(value) => {
              showHistory(value === 'history');
              if (value !== 'history') onTurn(value === 'turn' ? (turn ?? last) : null);
            }}
          />
          <span className="flex-1" />
          {!isHistory && block !== undefined && <TurnButton block={block} {...props} />}
        </div>
        {!isHistory && turn !== null && turns.length > 0 && (
          <TurnSelect turns={turns} turn={turn} onTurn={onTurn} />
        )}
        {!isHistory && diff !== null && diff.files.length > 0 && <Totals diff={diff} />}
        {!isHistory && block !== undefined && block.notices.length > 0 && (
          <CoverageNotice notices={block.notices} foldKey={`${block.id}-panel`} />
        )}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        {isHistory ? (
          <OperationList operations={props.operations} numberOf={numbersOf(turns)} onRedo={props.onRedo} />
        ) : (
          <Content {...props} />
        )}
      </div>
    </section>
  );
});

const numbersOf =
  (turns: readonly TurnBlock[]) =>
  (turn: TurnId): number | null =>
    turns.find((block) => block.turn === turn)?.number ?? null;

function Content({ diff, loading, problem, onRetry, openFile, turn }: ChangesPanelProps) {
  if (problem !== null) {
    return (
      <div className="p-3">
        <ErrorBox
          happened={problem}
          kept="No file was touched."
          actions={
            <Button size="sm" variant="ghost" onClick={onRetry}>
              Try again
            </Button>
          }
        />
      </div>
    );
  }
  if (diff === null)
    return loading ? <Skeleton label="Loading the changes" rows={8} className="p-3" /> : null;
  if (diff.files.length === 0) {
    return (
      <EmptyState
        title="No files changed"
        text={turn === null ? 'This session has not changed a file yet.' : 'This turn changed no file.'}
      />
    );
  }
  return <ChangeList key={turn ?? 'session'} files={diff.files} openFile={openFile} />;
}

function Totals({ diff }: { readonly diff: TurnDiff }) {
  const added = diff.files.reduce((sum, file) => sum + (file.added ?? 0), 0);
  const removed = diff.files.reduce((sum, file) => sum + (file.removed ?? 0), 0);
  return (
    <p className="flex items-center gap-2 text-fg-2 text-meta">
      {plural(diff.files.length, 'file')}
      <ChangeCount added={added} removed={removed} />
      <ChangeBar added={added} removed={removed} />
    </p>
  );
}

function TurnSelect({
  turns,
  turn,
  onTurn,
}: {
  readonly turns: readonly TurnBlock[];
  readonly turn: TurnId;
  readonly onTurn: (turn: TurnId) => void;
}) {
  const entries = turns.toReversed().flatMap((block): MenuEntry[] => {
    const { turn: id } = block;
    if (id === null) return [];
    const hint = plural(block.files.length, 'file');
    return [
      { kind: 'choice', id, label: titleOf(block), hint, selected: id === turn, onSelect: () => onTurn(id) },
    ];
  });
  const now = turns.find((block) => block.turn === turn);
  const title = now === undefined ? 'Choose a turn' : titleOf(now);
  return (
    <Menu
      entries={entries}
      trigger={
        <button
          type="button"
          aria-label={`Turn: ${title}`}
          className="flex h-7 w-full min-w-0 items-center gap-2 rounded-control border border-line-strong bg-raised px-2 text-left text-ui hover:bg-hover touch:h-11"
        >
          <span className="min-w-0 flex-1 truncate">{title}</span>
          <Icon of={ChevronDown} size={14} className="text-fg-3" />
        </button>
      }
    />
  );
}

function titleOf({ number, prompt }: TurnBlock): string {
  const text = prompt?.text.map(contentHead).join(' ') ?? '';
  return `${number ?? ''} ${text.replace(/\s+/g, ' ').slice(0, 60)}`.trim();
}

function TurnButton({
  block,
  actionState,
  onUndo,
  onRedo,
}: ChangesPanelProps & { readonly block: TurnBlock }) {
  const { turn, undo } = block;
  if (turn === null) return null;
  if (undo !== null) {
    if (onRedo === undefined) return null;
    const reason =
      actionState?.redo.op === undo.op && !actionState.redo.enabled ? actionState.redo.reason : null;
    return (
      <Button
        size="sm"
        icon={<Icon of={Redo2} size={14} />}
        disabledReason={reason}
        onClick={() => onRedo(undo.op)}
      >
        Redo this turn
      </Button>
    );
  }
  if (onUndo === undefined) return null;
  const reason =
    actionState?.undo.enabled === false ? (actionState.undo.reason ?? 'This is not possible now.') : null;
  return (
    <Button
      size="sm"
      icon={<Icon of={Undo2} size={14} />}
      disabledReason={reason}
      onClick={() => onUndo(turn)}
    >
      Undo this turn
    </Button>
  );
}

import type { TurnBlock } from '@skein/core/document/blocks';
import type { ActionState, TurnDiff } from '@skein/core/protocol/restore';
import type { OpId, TurnId } from '@skein/core/record/ids';
import { Redo2, Undo2 } from 'lucide-react';
import { memo } from 'react';
import { plural } from '../format.ts';
import { Button } from '../primitives/button.tsx';
import { ChangeBar } from '../primitives/change-bar.tsx';
import { ChangeCount } from '../primitives/change-count.tsx';
import { EmptyState } from '../primitives/empty-state.tsx';
import { ErrorBox } from '../primitives/error-box.tsx';
import { Icon } from '../primitives/icon.tsx';
import { Segmented } from '../primitives/segmented.tsx';
import { Select } from '../primitives/select.tsx';
import { Skeleton } from '../primitives/skeleton.tsx';
import { CoverageNotice } from '../strand/coverage-notice.tsx';
import { ChangeList } from './change-list.tsx';

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
  readonly openFile?: ((path: string) => void) | undefined;
}

/** What changed, in one turn or in the whole session. */
export const ChangesPanel = memo(function ChangesPanel(props: ChangesPanelProps) {
  const { turns, turn, onTurn, diff } = props;
  const block = turns.find((candidate) => candidate.turn === turn);
  const last = turns.at(-1)?.turn ?? null;
  return (
    <section aria-label="Changes" data-testid="changes-panel" className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-col gap-2 border-line border-b px-3 py-2">
        <div className="flex items-center gap-2">
          <Segmented
            label="What to show"
            value={turn === null ? 'session' : 'turn'}
            options={[
              {
                value: 'turn',
                label: 'One turn',
                ...(last === null ? { disabledReason: 'No turn changed files.' } : {}),
              },
              { value: 'session', label: 'Whole session' },
            ]}
            onChange={(value) => onTurn(value === 'turn' ? last : null)}
          />
          <span className="flex-1" />
          {block !== undefined && <TurnButton block={block} {...props} />}
        </div>
        {turn !== null && turns.length > 0 && <TurnSelect turns={turns} turn={turn} onTurn={onTurn} />}
        {diff !== null && diff.files.length > 0 && <Totals diff={diff} />}
        {block !== undefined && block.notices.length > 0 && (
          <CoverageNotice notices={block.notices} foldKey={`${block.id}-panel`} />
        )}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <Content {...props} />
      </div>
    </section>
  );
});

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
  const options = turns.flatMap((block) => {
    if (block.turn === null) return [];
    const text =
      block.prompt?.text.map((part) => (typeof part === 'string' ? part : part.head)).join(' ') ?? '';
    const label = `${block.number ?? ''} ${text.replace(/\s+/g, ' ').slice(0, 60)}`.trim();
    return [{ value: block.turn, label, hint: plural(block.files.length, 'file') }];
  });
  return <Select label="Turn" labelHidden value={turn} options={options.toReversed()} onChange={onTurn} />;
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

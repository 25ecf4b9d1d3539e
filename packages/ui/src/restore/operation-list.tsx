import type { Operation } from '@skein/core/protocol/restore';
import type { OpId, TurnId } from '@skein/core/record/ids';
import { showPath } from '@skein/core/record/path-ref';
import { Redo2, Undo2 } from 'lucide-react';
import { formatDateTime, plural } from '../format.ts';
import { Button } from '../primitives/button.tsx';
import { EmptyState } from '../primitives/empty-state.tsx';
import { Icon } from '../primitives/icon.tsx';
import { Skeleton } from '../primitives/skeleton.tsx';

export interface OperationListProps {
  /** Null while they are loading. */
  readonly operations: readonly Operation[] | null;
  readonly numberOf: (turn: TurnId) => number | null;
  readonly onRedo?: ((op: OpId) => void) | undefined;
}

const MAX_PATHS = 4;

/** Every undo and redo of a session, newest first: none of them is ever out of reach before its versions expire. */
export function OperationList({ operations, numberOf, onRedo }: OperationListProps) {
  if (operations === null) return <Skeleton label="Loading what was undone" rows={4} className="p-3" />;
  if (operations.length === 0)
    return (
      <EmptyState title="Nothing was undone" text="Each undo and redo of this session is listed here." />
    );
  return (
    <ol aria-label="Undo history" data-testid="operations" className="divide-y divide-line">
      {operations.map((operation) => (
        <li key={operation.op} className="flex items-start gap-2 px-3 py-2">
          <Icon of={operation.direction === 'redo' ? Redo2 : Undo2} size={14} className="mt-0.75 text-fg-3" />
          <div className="min-w-0 flex-1">
            <p>
              {titleOf(operation, numberOf)}
              <span className="text-fg-3 text-meta">{` · ${formatDateTime(operation.at)}`}</span>
            </p>
            <p className="break-all font-mono text-code text-fg-2">{pathsOf(operation)}</p>
          </div>
          {onRedo !== undefined && hasFilesLeft(operation) && (
            <Button size="sm" onClick={() => onRedo(operation.op)}>
              Bring its files back
            </Button>
          )}
        </li>
      ))}
    </ol>
  );
}

function hasFilesLeft({ left, files }: Operation): boolean {
  return left !== null && left !== 'chat' && files.length > 0;
}

function titleOf({ direction, turns, scope }: Operation, numberOf: OperationListProps['numberOf']): string {
  const numbers = turns.map(numberOf).filter((number) => number !== null);
  const which = numbers.length === 0 ? plural(turns.length, 'turn') : `turn ${numbers.join(', ')}`;
  const what = scope === 'files' ? 'files of ' : scope === 'chat' ? 'conversation of ' : '';
  return `${direction === 'redo' ? 'Redid' : 'Undid'} ${what}${which}`;
}

function pathsOf({ files }: Operation): string {
  if (files.length === 0) return 'no files';
  const names = files.slice(0, MAX_PATHS).map(({ path }) => showPath(path));
  return files.length > MAX_PATHS
    ? `${names.join(', ')} and ${files.length - MAX_PATHS} more`
    : names.join(', ');
}

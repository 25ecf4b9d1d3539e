import type { RestoreResult } from '@skein/core/protocol/restore';
import type { TurnId } from '@skein/core/record/ids';
import { pathKey, showPath } from '@skein/core/record/path-ref';
import type { RestoreScope } from '@skein/core/record/schema';
import { RefreshCw } from 'lucide-react';
import { Button } from '../primitives/button.tsx';
import { Checkbox } from '../primitives/checkbox.tsx';
import { Dialog } from '../primitives/dialog.tsx';
import { ErrorBox } from '../primitives/error-box.tsx';
import { Icon } from '../primitives/icon.tsx';
import { Segmented } from '../primitives/segmented.tsx';
import { Skeleton } from '../primitives/skeleton.tsx';
import { ConflictList } from './conflict-list.tsx';
import { RestoreFiles } from './restore-files.tsx';
import { applyWords, summaryWords } from './restore-words.ts';
import { isPart, type Selection, withChoice, withUnattributed } from './selection.ts';

export interface UndoDialogProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly direction: 'undo' | 'redo';
  /** Instead of "Undo this turn". */
  readonly title?: string | undefined;
  readonly scope: RestoreScope;
  /** Absent: the scope is fixed (an older turn gives back its files only). */
  readonly onScope?: ((scope: RestoreScope) => void) | undefined;
  /** Everything that there is to choose from; null while it is made. */
  readonly preview: RestoreResult | null;
  /** Exactly what Apply does; null while it is made, or when nothing is chosen. */
  readonly chosen: RestoreResult | null;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly numberOf: (turn: TurnId) => number | null;
  readonly loading: boolean;
  readonly applying: boolean;
  /** Files moved between the preview and Apply; the preview was made anew. */
  readonly stale: boolean;
  /** A failure in three sentences, or null. */
  readonly problem: {
    readonly happened: string;
    /** Absent: nothing was written. */
    readonly kept?: string | undefined;
    readonly next?: string | undefined;
    readonly details?: string | undefined;
  } | null;
  readonly onLookAgain: () => void;
  readonly onApply: () => void;
  readonly openFile?: ((path: string) => void) | undefined;
}

const TITLES = { undo: 'Undo this turn', redo: 'Redo this turn' };
const SCOPES: readonly { readonly value: RestoreScope; readonly label: string }[] = [
  { value: 'both', label: 'Files and conversation' },
  { value: 'files', label: 'Files' },
  { value: 'chat', label: 'Conversation' },
];

/** What an undo or a redo will do, file by file. Nothing is written until Apply. */
export function UndoDialog(props: UndoDialogProps) {
  const { open, onOpenChange, direction, scope, onScope, chosen, loading, applying, onLookAgain, onApply } =
    props;
  const blocked = reasonAgainst(props);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="lg"
      title={props.title ?? TITLES[direction]}
      description="A preview: nothing is written until you apply it."
      footer={
        <>
          <Button
            variant="ghost"
            icon={<Icon of={RefreshCw} size={14} />}
            disabled={loading || applying}
            onClick={onLookAgain}
            className="mr-auto"
          >
            Check again
          </Button>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button data-testid="undo-apply" variant="primary" disabledReason={blocked} onClick={onApply}>
            {applying ? 'Applying' : applyWords(direction, chosen, scope)}
          </Button>
        </>
      }
    >
      <div data-testid="undo-dialog" className="flex flex-col gap-3 p-4">
        {onScope !== undefined && (
          <div className="max-w-full overflow-x-auto">
            <Segmented label="What to bring back" value={scope} options={SCOPES} onChange={onScope} />
          </div>
        )}
        <Preview {...props} />
      </div>
    </Dialog>
  );
}

function Preview(props: UndoDialogProps) {
  const { preview, loading, stale, problem, direction, onLookAgain, selection, onSelect } = props;
  if (problem !== null) {
    return (
      <ErrorBox
        happened={problem.happened}
        kept={problem.kept ?? 'Nothing was written.'}
        next={problem.next}
        details={problem.details}
        actions={
          <Button size="sm" variant="ghost" onClick={onLookAgain}>
            Check again
          </Button>
        }
      />
    );
  }
  if (preview === null) return loading ? <Skeleton label="Looking at the files" rows={4} /> : null;
  return (
    <>
      {stale && (
        <p role="alert" className="rounded-control bg-warn-bg px-3 py-1.5 text-ui">
          Files changed since the preview, so nothing was written. This is how they stand now; check again
          before you apply.
        </p>
      )}
      {preview.notice !== undefined && <p className="text-pretty text-ui text-warn">{preview.notice}</p>}
      <Summary {...props} />
      {preview.conflicts.length > 0 && (
        <ConflictList
          conflicts={preview.conflicts}
          direction={direction}
          choices={selection.choices}
          onChoose={(path, choice) => onSelect(withChoice(selection, path, choice))}
          openFile={props.openFile}
        />
      )}
      {preview.files.length > 0 && (
        <RestoreFiles
          files={preview.files}
          direction={direction}
          selection={selection}
          onSelect={onSelect}
          numberOf={props.numberOf}
        />
      )}
      {preview.unattributed.length > 0 && <Unattributed {...props} list={preview.unattributed} />}
      {preview.unrestored.length > 0 && <Unrestored list={preview.unrestored} />}
    </>
  );
}

/** Of what is chosen, once that is known. */
function Summary({ preview, chosen, direction, selection }: UndoDialogProps) {
  const about = chosen ?? preview;
  if (about === null) return null;
  return (
    <p className="text-pretty text-ui">
      {summaryWords(about, direction)}
      {isPart(selection) && ' Only a part is chosen, so the conversation stays where it is.'}
    </p>
  );
}

function Unattributed({
  list,
  selection,
  onSelect,
}: UndoDialogProps & { readonly list: RestoreResult['unattributed'] }) {
  return (
    <div className="text-ui">
      <p className="font-medium">Changed meanwhile by something else</p>
      <p className="text-fg-2">
        Another session or program may have written these. They stay unless you include them.
      </p>
      {list.map((path) => (
        <Checkbox
          key={pathKey(path)}
          checked={selection.withThese.has(pathKey(path))}
          onChange={(isChosen) => onSelect(withUnattributed(selection, path, isChosen))}
          label={<span className="break-all font-mono text-code">{showPath(path)}</span>}
        />
      ))}
    </div>
  );
}

function Unrestored({ list }: { readonly list: RestoreResult['unrestored'] }) {
  return (
    <div className="text-ui">
      <p className="font-medium">Cannot be brought back</p>
      <ul className="text-fg-2">
        {list.map(({ path, reason }) => (
          <li key={typeof path === 'string' ? path : path.b64} className="break-words">
            <span className="font-mono text-code">
              {typeof path === 'string' ? path : `(bytes ${path.b64})`}
            </span>{' '}
            {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Why Apply cannot be pressed, or null. */
function reasonAgainst({ preview, chosen, loading, applying, problem }: UndoDialogProps): string | null {
  if (applying) return 'It is being applied.';
  if (problem !== null) return 'There is no preview to apply.';
  if (loading || preview === null) return 'The preview is being made.';
  if (chosen === null) return 'Nothing is chosen.';
  if (chosen.conflicts.length > 0) return 'Choose for each conflict first.';
  return null;
}

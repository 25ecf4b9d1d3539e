import type { RestoreResult } from '@skein/core/protocol/restore';
import type { TurnId } from '@skein/core/record/ids';
import { showPath } from '@skein/core/record/path-ref';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../class-names.ts';
import { Checkbox } from '../primitives/checkbox.tsx';
import { Icon } from '../primitives/icon.tsx';
import { PathText } from './change-list.tsx';
import { LazyDiff } from './diff-lazy.tsx';
import { HunkList } from './hunk-list.tsx';
import { actionWords } from './restore-words.ts';
import { checkedOf, type Selection, withFile } from './selection.ts';

type RestoreFile = RestoreResult['files'][number];

export interface RestoreFilesProps {
  readonly files: readonly RestoreFile[];
  readonly direction: 'undo' | 'redo';
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** Number of a turn on the path, for the hint about later ones. */
  readonly numberOf: (turn: TurnId) => number | null;
}

/** Per file what will happen, with the diff from now to then, and what of it is wanted. */
export function RestoreFiles({ files, ...rest }: RestoreFilesProps) {
  return (
    <ul aria-label="Files" className="overflow-hidden rounded-control border border-line">
      {files.map((file, index) => (
        <FileRow
          key={showPath(file.path)}
          file={file}
          startsOpen={index === 0 && files.length <= 3}
          {...rest}
        />
      ))}
    </ul>
  );
}

const COLOURS: Partial<Record<RestoreFile['action'], string>> = {
  delete: 'text-del',
  create: 'text-add',
  merge: 'text-warn',
};

interface FileRowProps extends Omit<RestoreFilesProps, 'files'> {
  readonly file: RestoreFile;
  readonly startsOpen: boolean;
}

function FileRow({ file, direction, startsOpen, selection, onSelect, numberOf }: FileRowProps) {
  const changes = file.action !== 'nothing';
  const [open, setOpen] = useState(startsOpen && changes);
  const name = showPath(file.path);
  const checked = checkedOf(selection, file);
  return (
    <li className="border-line border-b last:border-b-0">
      <div className="flex h-8 min-w-0 items-center pl-2 touch:h-11">
        {changes && (
          <Checkbox
            checked={checked === 'all'}
            mixed={checked === 'some'}
            onChange={(isChosen) => onSelect(withFile(selection, file, isChosen))}
            label={`Include ${name}`}
            labelHidden
          />
        )}
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex h-full min-w-0 flex-1 items-center gap-1.5 px-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
        >
          <Icon
            of={ChevronRight}
            size={14}
            className={classNames('text-fg-3 transition-transform', open && 'rotate-90')}
          />
          <PathText path={name} />
          <span className="flex-1" />
          <span className={classNames('shrink-0 text-meta', COLOURS[file.action] ?? 'text-fg-2')}>
            {checked === 'none' && changes ? 'stays as it is' : actionWords(file.action, direction)}
          </span>
        </button>
      </div>
      <LaterTurns turns={file.laterTurns} numberOf={numberOf} />
      {open && (
        <div className="max-h-96 overflow-y-auto border-line border-t">
          <FileChanges file={file} selection={selection} onSelect={onSelect} />
        </div>
      )}
    </li>
  );
}

function LaterTurns({
  turns,
  numberOf,
}: { readonly turns: readonly TurnId[] } & Pick<RestoreFilesProps, 'numberOf'>) {
  if (turns.length === 0) return null;
  const numbers = turns.map(numberOf).filter((number) => number !== null);
  const which = numbers.length === 0 ? 'later turns' : `turn ${numbers.join(', ')}`;
  return <p className="px-3 pb-1 text-meta text-warn">{`Also changed by ${which}, which stays.`}</p>;
}

type FileChangesProps = Pick<FileRowProps, 'file' | 'selection' | 'onSelect'>;

function FileChanges({ file, selection, onSelect }: FileChangesProps) {
  const name = showPath(file.path);
  if (file.now === null && file.then === null && !file.binary && file.action !== 'nothing')
    return (
      <p className="px-3 py-1.5 text-fg-2 text-ui">
        The content is too long to be shown here; it is brought back in full.
      </p>
    );
  if (file.hunks.length > 1 && file.now !== null && file.then !== null)
    return <HunkList file={file} selection={selection} onSelect={onSelect} />;
  return <LazyDiff before={file.now} after={file.then} binary={file.binary} label={name} />;
}

import type { RestoreResult } from '@skein/core/protocol/restore';
import { showPath } from '@skein/core/record/path-ref';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { classNames } from '../class-names.ts';
import { Icon } from '../primitives/icon.tsx';
import { PathText } from './change-list.tsx';
import { LazyDiff } from './diff-lazy.tsx';
import { actionWords } from './restore-words.ts';

type RestoreFile = RestoreResult['files'][number];

export interface RestoreFilesProps {
  readonly files: readonly RestoreFile[];
  readonly direction: 'undo' | 'redo';
  /** Conflicts elsewhere: this is what would happen without them. */
  readonly blocked: boolean;
  readonly openFile?: ((path: string) => void) | undefined;
}

/** Per file what will happen, with the diff from now to then. */
export function RestoreFiles({ files, direction, blocked }: RestoreFilesProps) {
  return (
    <div>
      {blocked && <p className="mb-1 text-fg-2 text-ui">Without the conflicts, this would happen:</p>}
      <ul className="overflow-hidden rounded-control border border-line">
        {files.map((file, index) => (
          <FileRow
            key={showPath(file.path)}
            file={file}
            direction={direction}
            startsOpen={index === 0 && files.length <= 3 && !blocked}
          />
        ))}
      </ul>
    </div>
  );
}

const COLOURS: Partial<Record<RestoreFile['action'], string>> = {
  delete: 'text-del',
  create: 'text-add',
  merge: 'text-warn',
};

interface FileRowProps {
  readonly file: RestoreFile;
  readonly direction: 'undo' | 'redo';
  readonly startsOpen: boolean;
}

function FileRow({ file, direction, startsOpen }: FileRowProps) {
  const [open, setOpen] = useState(startsOpen && file.action !== 'nothing');
  const name = showPath(file.path);
  return (
    <li className="border-line border-b last:border-b-0">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-8 w-full min-w-0 items-center gap-1.5 px-2 text-left hover:bg-hover focus-visible:-outline-offset-2 touch:h-11"
      >
        <Icon
          of={ChevronRight}
          size={14}
          className={classNames('text-fg-3 transition-transform', open && 'rotate-90')}
        />
        <PathText path={name} />
        <span className="flex-1" />
        <span className={classNames('shrink-0 text-meta', COLOURS[file.action] ?? 'text-fg-2')}>
          {actionWords(file.action, direction)}
        </span>
      </button>
      {open && (
        <div className="max-h-96 overflow-y-auto border-line border-t">
          {file.now === null && file.then === null && !file.binary && file.action !== 'nothing' ? (
            <p className="px-3 py-1.5 text-fg-2 text-ui">
              The content is too long to be shown here; it is brought back in full.
            </p>
          ) : (
            <LazyDiff before={file.now} after={file.then} binary={file.binary} label={name} />
          )}
        </div>
      )}
    </li>
  );
}

import type { TurnDiff } from '@skein/core/protocol/restore';
import { showPath } from '@skein/core/record/path-ref';
import { visibleMarks } from '@skein/core/text/visible-marks';
import { ChevronRight, SquareArrowOutUpRight } from 'lucide-react';
import { memo, useState } from 'react';
import { classNames } from '../class-names.ts';
import { plural } from '../format.ts';
import { ChangeCount } from '../primitives/change-count.tsx';
import { Icon } from '../primitives/icon.tsx';
import { IconButton } from '../primitives/icon-button.tsx';
import { LazyDiff } from './diff-lazy.tsx';

export type ChangedFile = TurnDiff['files'][number];

export interface ChangeListProps {
  readonly files: readonly ChangedFile[];
  readonly openFile?: ((path: string) => void) | undefined;
  /** Open the first files at once, as long as they are short. */
  readonly openFirst?: boolean | undefined;
}

const PAGE = 100;

/** Changed files, each unfolding to its diff. */
export function ChangeList({ files, openFile, openFirst = true }: ChangeListProps) {
  const [shown, setShown] = useState(PAGE);
  return (
    <div>
      {files.slice(0, shown).map((file, index) => (
        <ChangedFileRow
          key={showPath(file.path)}
          file={file}
          openFile={openFile}
          startsOpen={openFirst && index < 4 && (file.added ?? 0) + (file.removed ?? 0) <= 200}
        />
      ))}
      {files.length > shown && (
        <button
          type="button"
          onClick={() => setShown(shown + 5 * PAGE)}
          className="w-full px-3 py-1.5 text-left text-fg-2 text-meta hover:bg-hover touch:min-h-11"
        >
          {`Show ${plural(files.length - shown, 'more file')}`}
        </button>
      )}
    </div>
  );
}

const STATUS: Record<
  ChangedFile['status'],
  { readonly mark: string; readonly word: string; readonly colour: string }
> = {
  added: { mark: 'A', word: 'added', colour: 'text-add' },
  modified: { mark: 'M', word: 'changed', colour: 'text-fg-2' },
  deleted: { mark: 'D', word: 'deleted', colour: 'text-del' },
  mode: { mark: 'P', word: 'permissions changed', colour: 'text-fg-2' },
  type: { mark: 'T', word: 'kind of file changed', colour: 'text-warn' },
};

interface ChangedFileRowProps {
  readonly file: ChangedFile;
  readonly openFile: ((path: string) => void) | undefined;
  readonly startsOpen: boolean;
}

const ChangedFileRow = memo(function ChangedFileRow({ file, openFile, startsOpen }: ChangedFileRowProps) {
  const [open, setOpen] = useState(startsOpen);
  const name = showPath(file.path);
  const status = STATUS[file.status];
  return (
    <div className="border-line border-b">
      <div className="group/file sticky top-0 z-1 flex h-8 items-center gap-1 bg-bg pr-1.5 touch:h-11">
        <button
          type="button"
          aria-expanded={open}
          title={name}
          onClick={() => setOpen(!open)}
          className="flex h-full min-w-0 flex-1 items-center gap-1.5 pl-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
        >
          <Icon
            of={ChevronRight}
            size={14}
            className={classNames('text-fg-3 transition-transform', open && 'rotate-90')}
          />
          <span
            aria-hidden="true"
            className={classNames('w-3 shrink-0 text-center font-mono text-meta', status.colour)}
          >
            {status.mark}
          </span>
          <PathText path={name} />
          <span className="sr-only">, {status.word}</span>
          <span className="flex-1" />
          <ChangeCount added={file.added} removed={file.removed} />
        </button>
        {openFile !== undefined && typeof file.path === 'string' && file.status !== 'deleted' && (
          <IconButton
            size="sm"
            label={`Open ${name} in the editor`}
            icon={<Icon of={SquareArrowOutUpRight} size={14} />}
            onClick={() => openFile(name)}
          />
        )}
      </div>
      {open && (
        <div className="border-line border-t">
          <LazyDiff
            before={file.before}
            after={file.after}
            binary={file.binary}
            modeBefore={file.modeBefore}
            modeAfter={file.modeAfter}
            label={name}
          />
        </div>
      )}
    </div>
  );
});

/** A path whose folders give way first when there is no room. */
export function PathText({ path: name }: { readonly path: string }) {
  const path = visibleMarks(name);
  const cut = path.lastIndexOf('/') + 1;
  return (
    <span className="flex min-w-0 font-mono text-code">
      {cut > 0 && <span className="min-w-0 shrink-[99] truncate text-fg-3">{path.slice(0, cut)}</span>}
      <span className="min-w-0 truncate">{path.slice(cut)}</span>
    </span>
  );
}

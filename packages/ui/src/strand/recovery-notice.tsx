import type { RecoveryReport } from '@skein/core/protocol/restore';
import { showPath } from '@skein/core/record/path-ref';
import { LifeBuoy } from 'lucide-react';
import { useState } from 'react';
import { plural } from '../format.ts';
import { Button } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';

export interface RecoveryNoticeProps {
  readonly report: RecoveryReport;
  readonly onDismiss: () => void;
  readonly openFile?: ((path: string) => void) | undefined;
}

/** A crash cut an undo in two and Skein settled it: which files are done, which were left as the user has them. */
export function RecoveryNotice({ report, onDismiss, openFile }: RecoveryNoticeProps) {
  const [open, setOpen] = useState(report.left.length > 0);
  const verb = report.direction === 'redo' ? 'A redo' : 'An undo';
  const done =
    report.done.length === 0 ? 'No file had to change' : `${plural(report.done.length, 'file')} finished`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group, not a landmark: there may be several
    <div
      role="group"
      aria-label="Recovered after a crash"
      className="flex gap-2.5 rounded-panel border border-warn-line bg-raised px-3 py-2 text-ui"
    >
      <Icon of={LifeBuoy} className="mt-0.5 text-warn" />
      <div className="min-w-0 flex-1">
        <p className="text-pretty font-medium">{`${verb} was cut off by a crash and has been settled.`}</p>
        <p className="text-pretty text-fg-2">
          {report.left.length === 0
            ? `${done}; nothing is left open.`
            : `${done}. ${plural(report.left.length, 'file')} changed since, so ${report.left.length === 1 ? 'it was' : 'they were'} left as you have ${report.left.length === 1 ? 'it' : 'them'}; the other version is kept.`}
        </p>
        {open && (
          <ul className="mt-1">
            {report.left.map((path) => (
              <li key={showPath(path)} className="flex items-center gap-2">
                <span className="min-w-0 break-all font-mono text-code">{showPath(path)}</span>
                {openFile !== undefined && typeof path === 'string' && (
                  <Button size="sm" variant="ghost" onClick={() => openFile(path)}>
                    Open in editor
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        <div className="-ml-2 mt-1 flex gap-1">
          {report.left.length > 0 && (
            <Button size="sm" variant="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? 'Hide files' : 'Show files'}
            </Button>
          )}
          <Button size="sm" variant="ghost" onClick={onDismiss}>
            Understood
          </Button>
        </div>
      </div>
    </div>
  );
}

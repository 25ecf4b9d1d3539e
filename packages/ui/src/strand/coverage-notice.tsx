import { ShieldAlert } from 'lucide-react';
import { Icon } from '../primitives/icon.tsx';
import { useFold } from './folds.tsx';

export interface CoverageNoticeProps {
  /** Sentences; the first is the summary. */
  readonly notices: readonly string[];
  readonly foldKey: string;
}

/** What an undo of this turn cannot bring back. Said at the turn, not only when it is too late. */
export function CoverageNotice({ notices, foldKey }: CoverageNoticeProps) {
  const [open, setOpen] = useFold(foldKey, false);
  const [summary, ...rest] = notices;
  return (
    <div className="mt-3 flex gap-2 text-ui text-warn">
      <Icon of={ShieldAlert} size={14} className="mt-[3px]" />
      <div className="min-w-0">
        <p className="text-pretty">
          {summary}
          {rest.length > 0 && (
            <button
              type="button"
              aria-expanded={open}
              onClick={() => setOpen(!open)}
              className="ml-2 rounded text-fg-2 text-meta underline-offset-2 hover:text-fg hover:underline"
            >
              {open ? 'Hide why' : 'Why'}
            </button>
          )}
        </p>
        {open && rest.length > 0 && (
          <ul className="text-pretty text-fg-2">
            {rest.map((notice) => (
              <li key={notice} className="break-words">
                {notice}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

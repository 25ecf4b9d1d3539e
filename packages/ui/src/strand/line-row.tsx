import type { LineItem, LineTone } from '@skein/core/document/blocks';
import {
  CornerUpLeft,
  GitFork,
  Layers,
  type LucideIcon,
  Settings2,
  Sparkles,
  TriangleAlert,
  Undo2,
} from 'lucide-react';
import { memo } from 'react';
import { classNames } from '../class-names.ts';
import { formatDateTime } from '../format.ts';
import { Icon } from '../primitives/icon.tsx';
import { useFold } from './folds.tsx';
import { Markdown } from './markdown.tsx';

const ICONS: Record<LineTone, LucideIcon> = {
  setting: Settings2,
  restore: Undo2,
  context: Layers,
  newer: Sparkles,
  warning: TriangleAlert,
  move: CornerUpLeft,
  origin: GitFork,
};

/** A record that is one line. A detail unfolds below it; the redo of an undo stands at the turn itself. */
export const LineRow = memo(function LineRow({ line }: { readonly line: LineItem }) {
  const [open, setOpen] = useFold(line.key);
  const { detail, tone } = line;
  return (
    <div className={classNames('text-ui', tone === 'warning' ? 'text-warn' : 'text-fg-2')}>
      <div className="flex min-h-6 items-center gap-2">
        <Icon of={ICONS[tone]} size={14} className={tone === 'warning' ? '' : 'text-fg-3'} />
        <span
          className="min-w-0 text-pretty break-words"
          title={line.at === null ? undefined : formatDateTime(line.at)}
        >
          {line.text}
        </span>
        {detail !== null && (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="shrink-0 rounded px-1 text-fg-3 text-meta underline-offset-2 hover:text-fg hover:underline touch:min-h-11"
          >
            {open ? 'Hide' : 'Details'}
          </button>
        )}
      </div>
      {open && detail !== null && <Detail tone={tone} text={detail} />}
    </div>
  );
});

function Detail({ tone, text }: { readonly tone: LineTone; readonly text: string }) {
  return (
    <div className="my-1 ml-[6px] border-line border-l pl-3.5 text-fg-2">
      {tone === 'context' ? (
        <Markdown text={text} />
      ) : (
        <pre className="whitespace-pre-wrap break-words text-code">{text}</pre>
      )}
    </div>
  );
}

import type { NoteView, SteerItem, ThinkingItem } from '@skein/core/document/blocks';
import { contentHead } from '@skein/core/record/parts';
import { showPath } from '@skein/core/record/path-ref';
import { Brain, ChevronRight, Info } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { formatTime, plural } from '../format.ts';
import { Icon } from '../primitives/icon.tsx';
import { useFold } from './folds.tsx';
import { SpillView } from './spill-view.tsx';

/** What Skein told the agent beside the prompt, folded: files that were restored since. */
export function NoteRow({ note, foldKey }: { readonly note: NoteView; readonly foldKey: string }) {
  const files = note.files.length;
  const title =
    files === 0 ? 'Note to the agent' : `The agent was told that ${plural(files, 'file')} changed`;
  return (
    <Folded foldKey={foldKey} icon={<Icon of={Info} size={14} />} title={title}>
      <SpillView content={note.text} />
      {files > 0 && <p className="break-words font-mono text-code">{note.files.map(showPath).join('  ')}</p>}
    </Folded>
  );
}

export const ThinkingRow = memo(function ThinkingRow({ item }: { readonly item: ThinkingItem }) {
  const preview = contentHead(item.text).replace(/\s+/g, ' ').slice(0, 160);
  return (
    <Folded foldKey={item.key} icon={<Icon of={Brain} size={14} />} title="Thinking" preview={preview}>
      {typeof item.text === 'string' ? <Thought text={item.text} /> : <SpillView content={item.text} />}
    </Folded>
  );
});

export function Thought({ text }: { readonly text: string }) {
  return <p className="max-w-[76ch] whitespace-pre-wrap break-words py-0.5 text-fg-2 text-prose">{text}</p>;
}

/** Said by the user while the turn ran. */
export const SteerRow = memo(function SteerRow({ item }: { readonly item: SteerItem }) {
  return (
    <div className="rounded-panel border border-line bg-raised px-3 pt-1 pb-1.5">
      <p className="font-mono text-fg-3 text-meta leading-5">
        You, meanwhile
        <time dateTime={item.at} className="tabular ml-2">
          {formatTime(item.at)}
        </time>
      </p>
      {item.text.map((content, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never move
        <p key={index} className="max-w-[76ch] whitespace-pre-wrap break-words text-prose">
          {contentHead(content)}
        </p>
      ))}
    </div>
  );
});

interface FoldedProps {
  readonly foldKey: string;
  readonly icon: ReactNode;
  readonly title: string;
  readonly preview?: string | undefined;
  readonly children: ReactNode;
}

function Folded({ foldKey, icon, title, preview, children }: FoldedProps) {
  const [open, setOpen] = useFold(foldKey);
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        data-fold
        onClick={() => setOpen(!open)}
        className="-mx-1.5 flex min-h-6 w-[calc(100%+12px)] min-w-0 items-center gap-1.5 rounded-control px-1.5 text-left text-fg-2 hover:bg-hover touch:min-h-11"
      >
        <Icon
          of={ChevronRight}
          size={14}
          className={classNames('text-fg-3 transition-transform', open && 'rotate-90')}
        />
        <span className="text-fg-3">{icon}</span>
        <span className="shrink-0">{title}</span>
        {preview !== undefined && !open && <span className="min-w-0 truncate text-fg-3">{preview}</span>}
      </button>
      {open && <div className="my-1 ml-[7px] border-line border-l pl-3.5">{children}</div>}
    </div>
  );
}

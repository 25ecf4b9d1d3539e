import type { PromptView, TurnBlock } from '@skein/core/document/blocks';
import { contentHead } from '@skein/core/record/parts';
import { showPath } from '@skein/core/record/path-ref';
import { truncate } from '@skein/core/text/truncate';
import { memo } from 'react';
import { formatCount, formatDateTime, formatTime } from '../format.ts';
import { Badge } from '../primitives/badge.tsx';
import { useFold } from './folds.tsx';
import { PromptImages } from './prompt-images.tsx';
import { SpillView } from './spill-view.tsx';
import { NoteRow } from './turn-notes.tsx';

export interface TurnPromptProps {
  readonly prompt: PromptView;
  readonly number: number | null;
  readonly at: string;
  readonly standing: TurnBlock['standing'];
  readonly undo: TurnBlock['undo'];
  readonly foldKey: string;
}

const BY_WORDS: Record<PromptView['by'], string> = {
  user: 'You',
  bridge: 'Skein',
  script: 'Script',
  guest: 'Guest',
};
/** What a folded prompt shows; one that is hardly longer is shown whole. */
const FOLDED = { lines: 6, characters: 480 };
const WHOLE = { lines: 10, characters: 900 };

/** What was asked. Long prompts fold, so that a pasted log does not push the answer away. */
export const TurnPrompt = memo(function TurnPrompt({
  prompt,
  number,
  at,
  standing,
  undo,
  foldKey,
}: TurnPromptProps) {
  return (
    <div className="group/prompt rounded-panel border border-line bg-raised px-3 pt-1.5 pb-2">
      <div className="flex h-5 items-center gap-2 text-meta">
        <span className="font-mono text-fg-3">{BY_WORDS[prompt.by]}</span>
        <StandingBadge standing={standing} undo={undo} />
        <span className="flex-1" />
        <time
          dateTime={at}
          title={formatDateTime(at)}
          className="tabular text-fg-3 opacity-0 group-hover/prompt:opacity-100 group-focus-within/turn:opacity-100 touch:opacity-100"
        >
          {formatTime(at)}
        </time>
        {number !== null && (
          <span className="tabular text-fg-3">
            <span className="sr-only">Turn </span>
            {number}
          </span>
        )}
      </div>
      {prompt.notes.map((note) => (
        <NoteRow key={contentHead(note.text)} note={note} foldKey={`${foldKey}-note`} />
      ))}
      <PromptText prompt={prompt} foldKey={foldKey} />
      {prompt.mentions.length > 0 && (
        <p className="mt-1.5 flex flex-wrap gap-1.5">
          {prompt.mentions.map((path) => (
            <span
              key={showPath(path)}
              className="rounded bg-sunken px-1.5 font-mono text-code text-fg-2 ring-1 ring-line ring-inset"
            >
              @{showPath(path)}
            </span>
          ))}
        </p>
      )}
      {prompt.images.length > 0 && <PromptImages images={prompt.images} />}
    </div>
  );
});

function StandingBadge({ standing, undo }: Pick<TurnBlock, 'standing' | 'undo'>) {
  if (standing === 'offshoot') return <Badge>other attempt</Badge>;
  if (undo === null) return null;
  if (standing === 'undone') return <Badge>{undo.files ? 'undone' : 'conversation undone'}</Badge>;
  return <Badge>files undone</Badge>;
}

function PromptText({ prompt, foldKey }: { readonly prompt: PromptView; readonly foldKey: string }) {
  const [open, setOpen] = useFold(`${foldKey}-text`);
  return prompt.text.map((content, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a prompt never move
    if (typeof content !== 'string') return <SpillView key={index} content={content} />;
    const lines = content.split('\n');
    const folds = lines.length > WHOLE.lines || content.length > WHOLE.characters;
    const shown =
      folds && !open ? truncate(lines.slice(0, FOLDED.lines).join('\n'), FOLDED.characters) : content;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a prompt never move
      <div key={index}>
        <p className="max-w-[76ch] whitespace-pre-wrap break-words text-prose">{shown}</p>
        {folds && (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="text-fg-2 text-meta underline-offset-2 hover:text-fg hover:underline touch:min-h-11"
          >
            {open ? 'Show less' : `Show all ${formatCount(lines.length)} lines`}
          </button>
        )}
      </div>
    );
  });
}

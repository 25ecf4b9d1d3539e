import { memo, useMemo, useState } from 'react';
import { classNames } from '../class-names.ts';
import { formatCount, plural } from '../format.ts';
import { ScrollBox } from '../primitives/scroll-box.tsx';
import { type DiffLine, diffSnippets, diffTexts, type FileDiff, type Hunk } from './hunks.ts';

export interface DiffViewProps {
  /** Null: the file is not there. */
  readonly before: string | null;
  readonly after: string | null;
  readonly binary?: boolean | undefined;
  readonly modeBefore?: number | null | undefined;
  readonly modeAfter?: number | null | undefined;
  /** Name for screen readers. */
  readonly label: string;
  /** Texts from the middle of a file: their line numbers are not known. */
  readonly snippet?: boolean | undefined;
  /** Break long lines instead of scrolling sideways. */
  readonly wrap?: boolean | undefined;
}

const PAGE = 400;

/** A unified diff as on a review page. Long ones come in pages, so that a generated file costs nothing. */
export const DiffView = memo(function DiffView(props: DiffViewProps) {
  const { before, after, binary = false, label, wrap = false, snippet = false } = props;
  const diff = useMemo(
    () => (binary ? null : snippet ? diffSnippets(before, after) : diffTexts(before, after)),
    [before, after, binary, snippet],
  );
  const [limit, setLimit] = useState(PAGE);
  const words = wordsFor(props, diff);
  const total = diff?.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0) ?? 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group, not a landmark: a page has many of them
    <div role="group" aria-label={`Changes of ${label}`} className="text-code">
      {words.map((text) => (
        <p key={text} className="px-3 py-1.5 font-sans text-fg-2 text-ui">
          {text}
        </p>
      ))}
      {diff !== null && total > 0 && (
        <ScrollBox
          label={`Lines of ${label}`}
          className={classNames('font-mono', wrap && 'overflow-x-visible')}
        >
          <div className={wrap ? undefined : 'w-max min-w-full'}>
            {visibleHunks(diff.hunks, limit).map((hunk) => (
              <HunkView key={hunk.id} hunk={hunk} wrap={wrap} numbers={!snippet} />
            ))}
          </div>
        </ScrollBox>
      )}
      {total > limit && (
        <div className="flex gap-1 border-line border-t px-2 py-1">
          <More
            onClick={() => setLimit(limit + PAGE)}
          >{`Show ${plural(Math.min(PAGE, total - limit), 'more line')}`}</More>
          <More onClick={() => setLimit(total)}>{`Show all ${formatCount(total)}`}</More>
        </div>
      )}
    </div>
  );
});

function More({ onClick, children }: { readonly onClick: () => void; readonly children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="h-6 rounded-control px-2 font-sans text-fg-2 text-meta hover:bg-hover hover:text-fg touch:h-11"
    >
      {children}
    </button>
  );
}

interface HunkViewProps {
  readonly hunk: Hunk;
  readonly wrap: boolean;
  readonly numbers: boolean;
}

function HunkView({ hunk, wrap, numbers }: HunkViewProps) {
  return (
    <div>
      {numbers && (
        <div className="sticky left-0 select-none border-line border-y bg-sunken px-3 py-0.5 text-fg-3 text-meta first:border-t-0">
          {hunk.header}
          {hunk.skipped > 0 && (
            <span className="font-sans">{`  ${plural(hunk.skipped, 'line')} unchanged`}</span>
          )}
        </div>
      )}
      {hunk.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <Line key={index} line={line} wrap={wrap} numbers={numbers} />
      ))}
    </div>
  );
}

const ROW = { same: '', add: 'bg-add-bg', del: 'bg-del-bg' };
const SIGN = { same: ' ', add: '+', del: '−' };
const SIGN_COLOUR = { same: '', add: 'text-add', del: 'text-del' };
const SPOKEN = { same: '', add: 'added: ', del: 'removed: ' };
const NUMBER = 'tabular inline-block w-[4.5ch] shrink-0 select-none pr-1 text-right text-fg-3';

function Line({ line, wrap, numbers }: Omit<HunkViewProps, 'hunk'> & { readonly line: DiffLine }) {
  return (
    <div className={classNames('flex', ROW[line.kind])}>
      {numbers && (
        <>
          <span aria-hidden="true" className={NUMBER}>
            {line.oldLine}
          </span>
          <span aria-hidden="true" className={NUMBER}>
            {line.newLine}
          </span>
        </>
      )}
      <span
        aria-hidden="true"
        className={classNames(
          'inline-block w-[2.5ch] shrink-0 select-none text-center',
          SIGN_COLOUR[line.kind],
        )}
      >
        {SIGN[line.kind]}
      </span>
      <span className={classNames('min-w-0 pr-4', wrap ? 'whitespace-pre-wrap break-all' : 'whitespace-pre')}>
        {line.kind !== 'same' && <span className="sr-only">{SPOKEN[line.kind]}</span>}
        <Marked line={line} />
        {line.noNewline && <span className="select-none text-fg-3"> no line feed at the end</span>}
      </span>
    </div>
  );
}

function Marked({ line }: { readonly line: DiffLine }) {
  if (line.marks.length === 0) return line.text === '' ? ' ' : line.text;
  const pieces = [];
  let at = 0;
  for (const [start, end] of line.marks) {
    pieces.push(line.text.slice(at, start));
    pieces.push(
      <span
        key={start}
        className={classNames('rounded-xs', line.kind === 'add' ? 'bg-add-mark' : 'bg-del-mark')}
      >
        {line.text.slice(start, end)}
      </span>,
    );
    at = end;
  }
  return [...pieces, line.text.slice(at)];
}

function visibleHunks(hunks: readonly Hunk[], limit: number): readonly Hunk[] {
  const shown: Hunk[] = [];
  let left = limit;
  for (const hunk of hunks) {
    if (left <= 0) break;
    shown.push(hunk.lines.length <= left ? hunk : { ...hunk, lines: hunk.lines.slice(0, left) });
    left -= hunk.lines.length;
  }
  return shown;
}

/** What a diff cannot draw: binary content, modes, empty and absent files. */
function wordsFor(
  { before, after, binary, modeBefore, modeAfter }: DiffViewProps,
  diff: FileDiff | null,
): readonly string[] {
  const words: string[] = [];
  if (binary === true)
    words.push('Binary file: its bytes changed and can be undone; there are no lines to show.');
  if (binary !== true && before === null && after === null) words.push('The content is not available here.');
  if (before === null && after === '') words.push('A new, empty file.');
  if (before === '' && after === null) words.push('An empty file, deleted.');
  if (isMode(modeBefore) && isMode(modeAfter) && modeBefore !== modeAfter) {
    words.push(`Permissions changed from ${octal(modeBefore)} to ${octal(modeAfter)}.`);
  }
  if (diff?.coarse === true) words.push('Too different to compare line by line: shown as replaced.');
  if (diff !== null && diff.hunks.length === 0 && words.length === 0) words.push('The text is the same.');
  return words;
}

function isMode(mode: number | null | undefined): mode is number {
  return mode !== null && mode !== undefined;
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(3, '0');
}

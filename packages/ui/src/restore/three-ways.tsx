import { useMemo } from 'react';
import { classNames } from '../class-names.ts';
import { ScrollBox } from '../primitives/scroll-box.tsx';
import { diffTexts } from './hunks.ts';

export interface ThreeWaysProps {
  /** On disk now, what the turn left, and what was there before. Null: no such file, or nothing to show. */
  readonly now: string | null;
  readonly base: string | null;
  readonly before: string | null;
  readonly titles: readonly [now: string, base: string, before: string];
  readonly label: string;
}

const MAX_LINES = 300;
const CONTEXT = 3;

/** Three versions side by side; on a narrow screen below each other. Lines that differ from the turn's are marked. */
export function ThreeWays({ now, base, before, titles, label }: ThreeWaysProps) {
  const [mine, theirs] = useMemo(() => [diffTexts(base, now), diffTexts(base, before)], [base, now, before]);
  return (
    <div className="grid max-h-96 grid-cols-1 divide-line overflow-y-auto text-code max-md:divide-y md:grid-cols-3 md:divide-x">
      <Column title={titles[0]} text={now} marked={changed(mine, 'new')} tone="bg-add-bg" label={label} />
      <Column
        title={titles[1]}
        text={base}
        marked={[...changed(mine, 'old'), ...changed(theirs, 'old')]}
        tone="bg-del-bg"
        label={label}
      />
      <Column
        title={titles[2]}
        text={before}
        marked={changed(theirs, 'new')}
        tone="bg-add-bg"
        label={label}
      />
    </div>
  );
}

type Diff = ReturnType<typeof diffTexts>;

/** Numbers of the lines that only this side has. */
function changed(diff: Diff, side: 'old' | 'new'): readonly number[] {
  const kind = side === 'old' ? 'del' : 'add';
  const lines = diff.hunks.flatMap((hunk) => hunk.lines.filter((line) => line.kind === kind));
  return lines.map((line) => (side === 'old' ? line.oldLine : line.newLine)).filter((line) => line !== null);
}

interface ColumnProps {
  readonly title: string;
  readonly text: string | null;
  /** 1-based lines. */
  readonly marked: readonly number[];
  readonly tone: string;
  readonly label: string;
}

function Column({ title, text, marked, tone, label }: ColumnProps) {
  const lines = text === null ? [] : text.replace(/\n$/, '').split('\n');
  const isMarked = new Set(marked);
  const shown = lines
    .map((line, at) => ({ line, number: at + 1 }))
    .filter(({ number }) => isNear(isMarked, number));
  return (
    <div className="min-w-0">
      <h4 className="sticky top-0 z-1 border-line border-b bg-raised px-3 py-1 font-medium text-meta">
        {title}
      </h4>
      {text === null && (
        <p className="px-3 py-1.5 font-sans text-fg-2 text-ui">No such file, or nothing to show.</p>
      )}
      {text !== null && shown.length === 0 && (
        <p className="px-3 py-1.5 font-sans text-fg-2 text-ui">The same as the turn left it.</p>
      )}
      <ScrollBox label={`${label}: ${title}`}>
        <div className="w-max min-w-full font-mono">
          {shown.slice(0, MAX_LINES).map(({ line, number }) => (
            <div key={number} className={classNames('flex h-[19px]', isMarked.has(number) && tone)}>
              <span
                aria-hidden="true"
                className="tabular w-[4.5ch] shrink-0 select-none pr-1.5 text-right text-fg-3"
              >
                {number}
              </span>
              <span className="whitespace-pre pr-3">{line}</span>
            </div>
          ))}
        </div>
      </ScrollBox>
    </div>
  );
}

function isNear(marked: ReadonlySet<number>, line: number): boolean {
  for (let at = line - CONTEXT; at <= line + CONTEXT; at += 1) if (marked.has(at)) return true;
  return false;
}

import { useMemo } from 'react';
import { classNames } from '../class-names.ts';
import { plural } from '../format.ts';
import { ScrollBox } from '../primitives/scroll-box.tsx';
import { type DiffLine, diffTexts } from './hunks.ts';
import { type SideRow, sideRows } from './side-rows.ts';

export interface SideBySideProps {
  /** Null: not there. */
  readonly now: string | null;
  readonly after: string | null;
  readonly label: string;
}

const MAX_ROWS = 400;

/** Two versions beside each other: what is on disk now, and what would be written. */
export function SideBySide({ now, after, label }: SideBySideProps) {
  const rows = useMemo(
    () => diffTexts(now, after).hunks.map((hunk) => ({ ...hunk, rows: sideRows(hunk.lines) })),
    [now, after],
  );
  const total = rows.reduce((sum, hunk) => sum + hunk.rows.length, 0);
  let left = MAX_ROWS;
  return (
    <div className="max-h-96 overflow-y-auto text-code">
      <div className="sticky top-0 z-1 grid grid-cols-2 border-line border-b bg-raised font-medium text-meta">
        <span className="px-3 py-1">{now === null ? 'Now: no such file' : 'Now, on disk'}</span>
        <span className="border-line border-l px-3 py-1">
          {after === null ? 'Then: no such file' : 'Then, if it were applied'}
        </span>
      </div>
      {rows.map((hunk) => {
        const shown = hunk.rows.slice(0, Math.max(0, left));
        left -= shown.length;
        return (
          <div key={hunk.id} className="grid grid-cols-2 border-line border-b font-mono last:border-b-0">
            <Side rows={shown} side="old" label={`${label} now`} />
            <Side rows={shown} side="new" label={`${label} then`} />
          </div>
        );
      })}
      {total > MAX_ROWS && (
        <p className="px-3 py-1.5 text-fg-2">{`${plural(total - MAX_ROWS, 'more line')}: open the file to see them.`}</p>
      )}
    </div>
  );
}

function Side({
  rows,
  side,
  label,
}: {
  readonly rows: readonly SideRow[];
  readonly side: 'old' | 'new';
  readonly label: string;
}) {
  return (
    <ScrollBox label={label} className={side === 'new' ? 'border-line border-l' : undefined}>
      <div className="w-max min-w-full">
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
          <Cell key={index} line={row[side]} side={side} />
        ))}
      </div>
    </ScrollBox>
  );
}

function Cell({ line, side }: { readonly line: DiffLine | null; readonly side: 'old' | 'new' }) {
  if (line === null) return <div className="h-[19px] bg-sunken" />;
  const colour = line.kind === 'add' ? 'bg-add-bg' : line.kind === 'del' ? 'bg-del-bg' : '';
  return (
    <div className={classNames('flex h-[19px]', colour)}>
      <span aria-hidden="true" className="tabular w-[4.5ch] shrink-0 select-none pr-1.5 text-right text-fg-3">
        {side === 'old' ? line.oldLine : line.newLine}
      </span>
      <span className="whitespace-pre pr-3">{line.text}</span>
    </div>
  );
}

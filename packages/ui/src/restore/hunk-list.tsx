import type { RestoreHunk, RestoreResult } from '@skein/core/protocol/restore';
import { showPath } from '@skein/core/record/path-ref';
import { Checkbox } from '../primitives/checkbox.tsx';
import { LazyDiff } from './diff-lazy.tsx';
import { type Selection, withHunk } from './selection.ts';

export interface HunkListProps {
  readonly file: RestoreResult['files'][number];
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

/** The places of a file that would change, each with a choice of its own. */
export function HunkList({ file, selection, onSelect }: HunkListProps) {
  const [now, after] = [linesOf(file.now), linesOf(file.then)];
  return (
    <ul aria-label={`Changes in ${showPath(file.path)}`} className="divide-y divide-line">
      {file.hunks.map((hunk, index) => (
        <li key={hunk.id} className={selection.without.has(hunk.id) ? 'opacity-55' : undefined}>
          <div className="bg-sunken px-3">
            <Checkbox
              checked={!selection.without.has(hunk.id)}
              onChange={(isChosen) => onSelect(withHunk(selection, hunk.id, isChosen))}
              label={titleOf(hunk, index + 1)}
            />
          </div>
          <LazyDiff
            before={now.slice(hunk.nowStart - 1, hunk.nowStart - 1 + hunk.nowLines).join('')}
            after={after.slice(hunk.thenStart - 1, hunk.thenStart - 1 + hunk.thenLines).join('')}
            label={`${showPath(file.path)}, place ${index + 1}`}
            snippet
          />
        </li>
      ))}
    </ul>
  );
}

function linesOf(text: string | null): readonly string[] {
  return (text ?? '').split(/(?<=\n)/);
}

function titleOf({ nowStart, nowLines, thenLines }: RestoreHunk, number: number): string {
  const end = nowStart + Math.max(1, nowLines) - 1;
  const lines = end === nowStart ? `line ${nowStart}` : `lines ${nowStart} to ${end}`;
  return `Place ${number}: ${lines} (−${nowLines} +${thenLines})`;
}

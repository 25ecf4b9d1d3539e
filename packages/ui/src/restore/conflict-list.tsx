import type { ConflictChoice, RestoreResult } from '@skein/core/protocol/restore';
import { type PathRef, pathKey, showPath } from '@skein/core/record/path-ref';
import { visibleMarks } from '@skein/core/text/visible-marks';
import { TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { Button } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { LazyDiff } from './diff-lazy.tsx';
import { CHOICE_WORDS, CONFLICT_WORDS, VERSION_WORDS } from './restore-words.ts';
import { LazyThreeWays } from './three-ways-lazy.tsx';

type Conflict = RestoreResult['conflicts'][number];

export interface ConflictListProps {
  readonly conflicts: readonly Conflict[];
  readonly direction: 'undo' | 'redo';
  readonly choices: ReadonlyMap<string, ConflictChoice>;
  readonly onChoose: (path: PathRef, choice: ConflictChoice) => void;
  readonly openFile?: ((path: string) => void) | undefined;
}

/** Files that an undo would overwrite: three versions side by side, and a choice for each. Nothing is chosen for anybody. */
export function ConflictList({ conflicts, direction, choices, onChoose, openFile }: ConflictListProps) {
  return (
    <ul aria-label="Conflicts" className="flex flex-col gap-2">
      {conflicts.map((conflict) => (
        <li
          key={pathKey(conflict.path)}
          className="overflow-hidden rounded-control border border-warn-line"
          data-testid="conflict"
        >
          <Head conflict={conflict} openFile={openFile} />
          <Versions conflict={conflict} direction={direction} chosen={choices.get(pathKey(conflict.path))} />
          <Choices
            conflict={conflict}
            direction={direction}
            chosen={choices.get(pathKey(conflict.path))}
            onChoose={(choice) => onChoose(conflict.path, choice)}
          />
        </li>
      ))}
    </ul>
  );
}

function Head({
  conflict: { path, reason },
  openFile,
}: { readonly conflict: Conflict } & Pick<ConflictListProps, 'openFile'>) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 bg-warn-bg px-3 py-1 text-ui">
      <Icon of={TriangleAlert} size={14} className="text-warn" />
      <span className="min-w-0 break-all font-mono text-code">{visibleMarks(showPath(path))}</span>
      <span className="text-fg-2">
        <span className="font-medium text-warn">Conflict.</span> {CONFLICT_WORDS[reason]}
      </span>
      <span className="flex-1" />
      {openFile !== undefined && typeof path === 'string' && (
        <Button size="sm" variant="ghost" onClick={() => openFile(path)}>
          Open in editor
        </Button>
      )}
    </div>
  );
}

interface VersionsProps extends Pick<ConflictListProps, 'direction'> {
  readonly conflict: Conflict;
  readonly chosen: ConflictChoice | undefined;
}

function Versions({ conflict, direction, chosen }: VersionsProps) {
  const { path, now, base, then: before, markers } = conflict;
  const label = showPath(path);
  if (chosen === 'markers' && markers !== null)
    return (
      <div className="max-h-96 overflow-y-auto">
        <LazyDiff before={now} after={markers} label={label} />
      </div>
    );
  return now === null && base === null && before === null ? (
    <p className="px-3 py-1.5 text-fg-2 text-ui">There are no texts to show here.</p>
  ) : (
    <LazyThreeWays now={now} base={base} before={before} titles={VERSION_WORDS[direction]} label={label} />
  );
}

interface ChoicesProps extends Pick<ConflictListProps, 'direction'> {
  readonly conflict: Conflict;
  readonly chosen: ConflictChoice | undefined;
  readonly onChoose: (choice: ConflictChoice) => void;
}

function Choices({ conflict: { path, choices, then: before }, direction, chosen, onChoose }: ChoicesProps) {
  const name = useId();
  if (choices.length === 0) return null;
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-1 border-line border-t px-3 py-1.5 text-ui">
      <legend className="sr-only">{`What becomes of ${showPath(path)}`}</legend>
      {choices.map((choice) => (
        <label key={choice} className="flex items-center gap-1.5 touch:py-2.5">
          <input
            type="radio"
            name={name}
            value={choice}
            checked={chosen === choice}
            onChange={() => onChoose(choice)}
            className="size-3.5 accent-(--accent-fill)"
          />
          {choice === 'before' && before === null
            ? `${CHOICE_WORDS[direction].before}: no such file`
            : CHOICE_WORDS[direction][choice]}
        </label>
      ))}
    </fieldset>
  );
}

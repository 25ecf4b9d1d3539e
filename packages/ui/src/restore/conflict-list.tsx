import type { RestoreResult } from '@skein/core/protocol/restore';
import { showPath } from '@skein/core/record/path-ref';
import { TriangleAlert } from 'lucide-react';
import { Button } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { CONFLICT_WORDS } from './restore-words.ts';
import { LazySideBySide } from './side-by-side-lazy.tsx';

export interface ConflictListProps {
  readonly conflicts: RestoreResult['conflicts'];
  readonly openFile?: ((path: string) => void) | undefined;
}

/** Files that an undo would overwrite: what is on disk now beside what would be written. */
export function ConflictList({ conflicts, openFile }: ConflictListProps) {
  return (
    <ul aria-label="Conflicts" className="flex flex-col gap-2">
      {conflicts.map(({ path, reason, now, then }) => (
        <li key={showPath(path)} className="overflow-hidden rounded-control border border-warn-line">
          <div className="flex flex-wrap items-center gap-x-2 bg-warn-bg px-3 py-1 text-ui">
            <Icon of={TriangleAlert} size={14} className="text-warn" />
            <span className="min-w-0 break-all font-mono text-code">{showPath(path)}</span>
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
          {(now !== null || then !== null) && (
            <LazySideBySide now={now} after={then} label={showPath(path)} />
          )}
        </li>
      ))}
    </ul>
  );
}

import { classNames } from '@skein/ui/class-names.ts';
import { Icon } from '@skein/ui/primitives/icon';
import { Folder } from 'lucide-react';
import { folderName, foldHome } from '../../state/paths.ts';

export interface RecentFoldersProps {
  readonly folders: readonly string[];
  readonly home: string;
  readonly chosen: string | null;
  readonly onPick: (cwd: string) => void;
}

const SHOWN = 5;

/** Folders that hold sessions already; one click is enough. */
export function RecentFolders({ folders, home, chosen, onPick }: RecentFoldersProps) {
  const all = chosen !== null && !folders.includes(chosen) ? [chosen, ...folders] : folders;
  return (
    <div
      role="radiogroup"
      aria-label="Folder"
      className="flex flex-col rounded-panel border border-line bg-raised p-1"
    >
      {all.slice(0, SHOWN).map((folder) => (
        // biome-ignore lint/a11y/useSemanticElements: a row with two texts, not a dot with a label
        <button
          key={folder}
          type="button"
          role="radio"
          aria-checked={folder === chosen}
          onClick={() => onPick(folder)}
          className={classNames(
            'flex h-7 items-center gap-2 rounded-control px-2 text-left touch:h-11',
            folder === chosen ? 'bg-active text-fg' : 'text-fg-2 hover:bg-hover',
          )}
        >
          <Icon of={Folder} className={folder === chosen ? 'text-accent-text' : 'text-fg-3'} />
          <span className="shrink-0 font-medium">{folderName(folder)}</span>
          <span className="min-w-0 truncate font-mono text-fg-3 text-meta">{foldHome(folder, home)}</span>
        </button>
      ))}
    </div>
  );
}

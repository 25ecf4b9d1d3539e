import { File, Folder } from 'lucide-react';
import { classNames } from '../class-names.ts';
import { FLOATING } from '../primitives/floating.ts';
import { Icon } from '../primitives/icon.tsx';

export interface MentionPopupProps {
  readonly id: string;
  readonly paths: readonly string[];
  readonly active: number;
  readonly loading: boolean;
  readonly onPick: (path: string) => void;
}

/** Files that fit what is typed after the `@`. The text field keeps the focus. */
export function MentionPopup({ id, paths, active, loading, onPick }: MentionPopupProps) {
  return (
    <div
      className={classNames(
        FLOATING,
        'absolute bottom-full left-0 z-20 mb-1 max-h-72 w-full max-w-140 overflow-y-auto p-1',
      )}
    >
      {paths.length === 0 ? (
        <p className="px-2 py-1 text-fg-3 text-ui">{loading ? 'Looking for files' : 'No file fits.'}</p>
      ) : (
        <div role="listbox" id={id} aria-label="Files">
          {paths.map((path, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys go to the text field, which keeps the focus
            <div
              key={path}
              role="option"
              id={`${id}-${index}`}
              aria-selected={index === active}
              tabIndex={-1}
              // The text field must not lose the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onPick(path)}
              className={classNames(
                'flex min-h-7 items-center gap-2 rounded-control px-2 text-ui touch:min-h-11',
                index === active ? 'bg-active' : 'hover:bg-hover',
              )}
            >
              <Icon of={path.endsWith('/') ? Folder : File} size={14} className="text-fg-3" />
              <Path path={path} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function Path({ path }: { readonly path: string }) {
  const cut = path.lastIndexOf('/', path.length - 2) + 1;
  return (
    <span className="min-w-0 truncate font-mono text-code">
      <span className="text-fg-3">{path.slice(0, cut)}</span>
      {path.slice(cut)}
    </span>
  );
}

import { AtSign, X } from 'lucide-react';
import { Icon } from '../primitives/icon.tsx';
import { IconButton } from '../primitives/icon-button.tsx';

export interface MentionChipsProps {
  readonly paths: readonly string[];
  readonly onRemove: (path: string) => void;
}

/** The files that go with the prompt, because its text names them. */
export function MentionChips({ paths, onRemove }: MentionChipsProps) {
  return (
    <ul aria-label="Files named" className="flex max-h-24 flex-wrap gap-1 overflow-y-auto px-2.5 pt-1 pb-1.5">
      {paths.map((path) => (
        <li
          key={path}
          title={path}
          className="flex h-6 min-w-0 max-w-full items-center gap-1 rounded-control border border-line bg-sunken pl-1.5 text-fg-2 touch:h-11 touch:pl-2.5"
        >
          <Icon of={AtSign} size={14} className="text-fg-3" />
          {/* Cut on the left: the end of a path tells it from its neighbours. */}
          <span className="min-w-0 max-w-64 truncate text-left font-mono text-code [direction:rtl]">
            <bdi>{path}</bdi>
          </span>
          <IconButton
            size="sm"
            label={`Remove ${path}`}
            icon={<Icon of={X} size={14} />}
            onClick={() => onRemove(path)}
            className="size-5.5! touch:size-11!"
          />
        </li>
      ))}
    </ul>
  );
}

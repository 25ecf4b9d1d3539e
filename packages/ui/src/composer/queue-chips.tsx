import type { QueuedPrompt } from '@skein/core/protocol/turns';
import { CornerDownRight, Pencil, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { Icon } from '../primitives/icon.tsx';
import { IconButton } from '../primitives/icon-button.tsx';
import { FIELD } from '../primitives/text-input.tsx';

export interface QueueChipsProps {
  readonly queue: readonly QueuedPrompt[];
  readonly onEdit?: ((id: string, text: string) => void) | undefined;
  readonly onRemove: (id: string) => void;
}

/** What is sent next, in order. Each can be changed or taken back until its turn comes. */
export function QueueChips({ queue, onEdit, onRemove }: QueueChipsProps) {
  const [editing, setEditing] = useState<string | null>(null);
  return (
    <ul aria-label="Waiting to be sent" className="mb-1.5 flex max-h-40 flex-col gap-1 overflow-y-auto">
      {queue.map((prompt) => (
        <li
          key={prompt.id}
          className="flex min-h-8 items-center gap-2 rounded-control border border-line bg-sunken pr-1 pl-2.5 text-ui"
        >
          <Icon of={CornerDownRight} size={14} className="text-fg-3" />
          <span className="shrink-0 text-fg-3 text-meta">
            {prompt.kind === 'steer' ? 'into this turn' : 'next turn'}
          </span>
          {editing === prompt.id ? (
            <Editor
              text={prompt.text}
              onDone={(text) => {
                setEditing(null);
                if (text !== null && text.trim() !== '' && text !== prompt.text) onEdit?.(prompt.id, text);
              }}
            />
          ) : (
            <span className="min-w-0 flex-1 truncate" title={prompt.text}>
              {prompt.text}
            </span>
          )}
          {onEdit !== undefined && editing !== prompt.id && (
            <IconButton
              size="sm"
              label="Edit this prompt"
              icon={<Icon of={Pencil} size={14} />}
              onClick={() => setEditing(prompt.id)}
            />
          )}
          <IconButton
            size="sm"
            label="Take it back"
            icon={<Icon of={X} size={14} />}
            onClick={() => onRemove(prompt.id)}
          />
        </li>
      ))}
    </ul>
  );
}

function Editor({ text, onDone }: { readonly text: string; readonly onDone: (text: string | null) => void }) {
  const [value, setValue] = useState(text);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) onDone(value);
    if (event.key === 'Escape') {
      event.stopPropagation();
      onDone(null);
    }
  };
  return (
    <textarea
      // biome-ignore lint/a11y/noAutofocus: it was asked for by a click on "Edit"
      autoFocus
      aria-label="Text of the waiting prompt"
      rows={Math.min(6, value.split('\n').length)}
      value={value}
      onChange={(event) => setValue(event.target.value)}
      onBlur={() => onDone(value)}
      onKeyDown={onKeyDown}
      className={`${FIELD} my-1 min-w-0 flex-1 resize-none py-0.5`}
    />
  );
}

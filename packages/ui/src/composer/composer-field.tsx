import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import type { Mentions } from './use-mentions.ts';

export interface ComposerFieldProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly mentions: Mentions;
  readonly placeholder: string;
  /** `other`: with ⌘ or Ctrl. */
  readonly onSend: (other: boolean) => void;
  readonly onInterrupt: (() => void) | undefined;
}

const MAX_HEIGHT = 320;

/** The text itself. Keys of an input method (IME) are never taken for ours. */
export function ComposerField({
  field,
  text,
  onText,
  mentions,
  placeholder,
  onSend,
  onInterrupt,
}: ComposerFieldProps) {
  useLayoutEffect(() => {
    const box = field.current;
    if (box === null || text === undefined) return;
    box.style.height = 'auto';
    box.style.height = `${Math.min(MAX_HEIGHT, box.scrollHeight)}px`;
  }, [field, text]);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Safari reports the Enter that ends a composition with keyCode 229 and isComposing false.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (mentions.onKey(event.key)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      onSend(event.metaKey || event.ctrlKey);
    }
    if (event.key === 'Escape' && onInterrupt !== undefined) {
      event.preventDefault();
      onInterrupt();
    }
  };
  return (
    <>
      <textarea
        ref={field}
        data-testid="composer-input"
        aria-label="Prompt"
        aria-autocomplete="list"
        aria-controls={mentions.isOpen && mentions.paths.length > 0 ? 'composer-files' : undefined}
        aria-activedescendant={
          mentions.isOpen && mentions.paths.length > 0 ? `composer-files-${mentions.active}` : undefined
        }
        rows={1}
        value={text}
        placeholder={placeholder}
        enterKeyHint="send"
        onChange={(event) => {
          onText(event.target.value);
          mentions.look(event.target.value, event.target.selectionStart);
        }}
        onSelect={(event) => mentions.look(event.currentTarget.value, event.currentTarget.selectionStart)}
        onBlur={mentions.close}
        onKeyDown={onKeyDown}
        className="block max-h-80 min-h-10 w-full resize-none bg-transparent px-3 pt-2.5 pb-1 text-prose outline-none placeholder:text-fg-3 touch:text-base"
      />
      <span role="status" className="sr-only">
        {mentions.isOpen && !mentions.loading ? `${mentions.paths.length} files fit` : ''}
      </span>
    </>
  );
}

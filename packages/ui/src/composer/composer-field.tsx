import { type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import { meaningOfKey } from './keys.ts';
import type { Mentions } from './use-mentions.ts';

export interface ComposerFieldProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly listId: string;
  readonly describedBy: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly mentions: Mentions;
  readonly placeholder: string;
  readonly running: boolean;
  readonly onSend: () => void;
  readonly onInterrupt: () => void;
}

/** From here on the box is at its full height anyway; measuring such a text costs a layout of all of it. */
const MEASURED_CHARS = 20_000;

/** The text itself, as high as its lines up to 40 % of the window. */
export function ComposerField(props: ComposerFieldProps) {
  const { field, listId, text, onText, mentions } = props;
  useAutosize(field, text);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    const { key, shiftKey, altKey, metaKey, ctrlKey, keyCode, nativeEvent } = event;
    const { isComposing } = nativeEvent;
    const press = { key, shiftKey, altKey, metaKey, ctrlKey, keyCode, isComposing };
    const meaning = meaningOfKey(press, props.running);
    if (meaning === 'ime') return;
    if (!shiftKey && mentions.onKey(key)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (meaning !== 'send' && meaning !== 'interrupt') return;
    event.preventDefault();
    if (meaning === 'send') props.onSend();
    else props.onInterrupt();
  };
  const hasList = mentions.isOpen && mentions.paths.length > 0;
  return (
    <>
      <textarea
        ref={field}
        data-testid="composer-input"
        aria-label="Prompt"
        aria-describedby={props.describedBy}
        aria-autocomplete="list"
        aria-controls={hasList ? listId : undefined}
        aria-activedescendant={hasList ? `${listId}-${mentions.active}` : undefined}
        rows={1}
        value={text}
        placeholder={props.placeholder}
        enterKeyHint="send"
        spellCheck={text.length < MEASURED_CHARS}
        onChange={(event) => {
          onText(event.target.value);
          mentions.look(event.target.value, event.target.selectionStart);
        }}
        onSelect={(event) => mentions.look(event.currentTarget.value, event.currentTarget.selectionStart)}
        onBlur={mentions.close}
        onKeyDown={onKeyDown}
        className="block max-h-[40dvh] min-h-10 w-full resize-none bg-transparent px-3 pt-2.5 pb-1 text-prose outline-none placeholder:text-fg-3 touch:min-h-12 touch:text-base"
      />
      <span role="status" className="sr-only">
        {mentions.isOpen && !mentions.loading ? `${mentions.paths.length} files fit` : ''}
      </span>
    </>
  );
}

function useAutosize(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const box = field.current;
    if (box === null) return;
    if (text.length > MEASURED_CHARS) {
      box.style.height = '40dvh';
      return;
    }
    box.style.height = 'auto';
    box.style.height = `${box.scrollHeight}px`;
  }, [field, text]);
}

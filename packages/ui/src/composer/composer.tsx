import type { QueuedPrompt } from '@skein/core/protocol/turns';
import { type ReactNode, type Ref, useId, useImperativeHandle, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { ComposerBar } from './composer-bar.tsx';
import { ComposerField } from './composer-field.tsx';
import { ComposerNotes } from './composer-notes.tsx';
import { placeholderOf, reasonAgainstText } from './composer-words.ts';
import { ImageStrip } from './image-strip.tsx';
import type { ComposerImage } from './images.ts';
import { type FollowUp, type SendWhen, whenOf } from './keys.ts';
import { MentionChips } from './mention-chips.tsx';
import { MentionPopup } from './mention-popup.tsx';
import { removeMention } from './mention-token.ts';
import type { PickersProps } from './pickers.tsx';
import { QueueChips } from './queue-chips.tsx';
import { useChosen } from './use-chosen.ts';
import { useMentions } from './use-mentions.ts';
import { usePictures } from './use-pictures.ts';

export interface ComposerPrompt {
  readonly text: string;
  readonly images: readonly ComposerImage[];
  /** Paths that the text names with `@`. */
  readonly mentions: readonly string[];
  readonly when: SendWhen;
}

export interface ComposerHandle {
  readonly focus: () => void;
}

export interface ComposerProps {
  /** The draft; it is the caller's to keep. */
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly images: readonly ComposerImage[];
  readonly onImages: (images: readonly ComposerImage[]) => void;
  readonly onSend: (prompt: ComposerPrompt) => void;
  /** A turn runs: what is sent goes into it or after it. */
  readonly running: boolean;
  readonly canSteer: boolean;
  /** What a prompt sent meanwhile is for. Absent: chosen here, and forgotten with this composer. */
  readonly followUp?: FollowUp | undefined;
  readonly onFollowUp?: ((followUp: FollowUp) => void) | undefined;
  readonly onInterrupt: () => void;
  readonly queue: readonly QueuedPrompt[];
  readonly onEditQueued?: ((id: string, text: string) => void) | undefined;
  readonly onRemoveQueued: (id: string) => void;
  readonly acceptsImages: boolean;
  readonly findFiles?: ((query: string) => Promise<readonly string[]>) | undefined;
  readonly pickers: PickersProps;
  /** Why nothing can be sent, or null. The draft stays editable. */
  readonly disabledReason: string | null;
  readonly placeholder?: string | undefined;
  /** Small, below the box: tokens and cost of the session. */
  readonly hint?: ReactNode | undefined;
  readonly ref?: Ref<ComposerHandle> | undefined;
}

/** Where prompts are written. ⏎ sends, ⇧⏎ breaks the line, esc interrupts. */
export function Composer(props: ComposerProps) {
  const { text, onText, images, onImages, running, canSteer, queue, findFiles } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [ownFollowUp, setOwnFollowUp] = useState<FollowUp>('steer');
  const followUp = props.followUp ?? ownFollowUp;
  const { named, choose } = useChosen(text, findFiles);
  const mentions = useMentions({ text, onText, findFiles, field, onChosen: choose });
  const pictures = usePictures(props, setProblem);
  useImperativeHandle(props.ref, () => ({ focus: () => field.current?.focus() }));
  const isEmpty = images.length === 0 && !/\S/.test(text);
  const reason = props.disabledReason ?? reasonAgainstText(text);
  const when = whenOf({ running, canSteer, followUp });
  const send = (): void => {
    if (isEmpty || reason !== null) return;
    props.onSend({ text, images, mentions: named, when });
    setProblem(null);
  };
  const notes = `${id}-notes`;
  return (
    <div className="relative">
      {queue.length > 0 && (
        <QueueChips queue={queue} onEdit={props.onEditQueued} onRemove={props.onRemoveQueued} />
      )}
      <div
        {...pictures.handlers}
        className={classNames(
          'relative rounded-panel border bg-raised transition-colors focus-within:border-line-strong',
          pictures.isOver ? 'border-accent' : 'border-line',
        )}
      >
        {mentions.isOpen && (
          <MentionPopup
            id={`${id}-files`}
            paths={mentions.paths}
            active={mentions.active}
            loading={mentions.loading}
            onPick={mentions.pick}
          />
        )}
        {images.length > 0 && (
          <ImageStrip
            images={images}
            onRemove={(gone) => onImages(images.filter((image) => image.id !== gone))}
          />
        )}
        <ComposerField
          field={field}
          listId={`${id}-files`}
          describedBy={notes}
          text={text}
          onText={onText}
          mentions={mentions}
          placeholder={props.placeholder ?? placeholderOf(when)}
          running={running}
          onSend={send}
          onInterrupt={props.onInterrupt}
        />
        {named.length > 0 && (
          <MentionChips paths={named} onRemove={(path) => onText(removeMention(text, path))} />
        )}
        <ComposerBar
          pickers={props.pickers}
          acceptsImages={props.acceptsImages}
          running={running}
          isEmpty={isEmpty}
          when={when}
          followUp={running && canSteer ? followUp : null}
          onFollowUp={(next) => {
            setOwnFollowUp(next);
            props.onFollowUp?.(next);
          }}
          disabledReason={reason}
          onInterrupt={props.onInterrupt}
          onPick={pictures.take}
          onSend={send}
        />
        {pictures.isOver && <DropNote accepts={props.acceptsImages} />}
      </div>
      <ComposerNotes id={notes} problem={problem} reason={reason} hint={props.hint} />
    </div>
  );
}

function DropNote({ accepts }: { readonly accepts: boolean }) {
  return (
    <p className="pointer-events-none absolute inset-0 grid place-items-center rounded-panel bg-raised/90 font-medium text-fg text-ui">
      {accepts ? 'Drop pictures to send them along' : 'This agent does not take pictures'}
    </p>
  );
}

import type { QueuedPrompt } from '@skein/core/protocol/turns';
import { type ClipboardEvent, type DragEvent, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { ComposerBar } from './composer-bar.tsx';
import { ComposerField } from './composer-field.tsx';
import { ImageStrip } from './image-strip.tsx';
import { type ComposerImage, readImages } from './images.ts';
import { MentionPopup } from './mention-popup.tsx';
import { mentionsIn } from './mention-token.ts';
import type { PickersProps } from './pickers.tsx';
import { QueueChips } from './queue-chips.tsx';
import { useMentions } from './use-mentions.ts';

export type SendWhen = 'now' | 'steer' | 'queue';

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
  readonly ref?: Ref<ComposerHandle> | undefined;
}

/** Where prompts are written. ⏎ sends, ⇧⏎ breaks the line, esc interrupts. */
export function Composer(props: ComposerProps) {
  const { text, onText, images, onImages, onSend, running, canSteer, disabledReason, queue, findFiles } =
    props;
  const field = useRef<HTMLTextAreaElement>(null);
  const chosen = useRef(new Set<string>());
  const [problem, setProblem] = useState<string | null>(null);
  const onChosen = (path: string): void => {
    chosen.current.add(path);
  };
  const mentions = useMentions({ text, onText, findFiles, field, onChosen });
  useImperativeHandle(props.ref, () => ({ focus: () => field.current?.focus() }));
  const isEmpty = text.trim() === '' && images.length === 0;
  const send = (other: boolean): void => {
    if (isEmpty || disabledReason !== null) return;
    onSend({
      text,
      images,
      mentions: mentionsIn(text, chosen.current),
      when: whenOf({ running, canSteer, other }),
    });
    chosen.current.clear();
    setProblem(null);
  };
  const pictures = usePictures(props, setProblem);
  return (
    <div className="relative">
      {queue.length > 0 && (
        <QueueChips queue={queue} onEdit={props.onEditQueued} onRemove={props.onRemoveQueued} />
      )}
      {mentions.isOpen && (
        <MentionPopup
          id="composer-files"
          paths={mentions.paths}
          active={mentions.active}
          loading={mentions.loading}
          onPick={mentions.pick}
        />
      )}
      <div
        {...pictures.handlers}
        className={classNames(
          'rounded-panel border bg-raised transition-colors focus-within:border-line-strong',
          pictures.isOver ? 'border-accent' : 'border-line',
        )}
      >
        {images.length > 0 && (
          <ImageStrip
            images={images}
            onRemove={(id) => onImages(images.filter((image) => image.id !== id))}
          />
        )}
        <ComposerField
          field={field}
          text={text}
          onText={onText}
          mentions={mentions}
          placeholder={placeholderOf(props)}
          onSend={send}
          onInterrupt={running ? props.onInterrupt : undefined}
        />
        <ComposerBar {...props} isEmpty={isEmpty} onPick={pictures.take} onSendNow={send} />
      </div>
      {(problem ?? disabledReason) !== null && (
        <p
          role={problem === null ? undefined : 'alert'}
          className={classNames('mt-1 px-1 text-meta', problem === null ? 'text-fg-2' : 'text-del')}
        >
          {problem ?? disabledReason}
        </p>
      )}
    </div>
  );
}

/** With the turn running: into it when the agent can, else after it; ⌘⏎ is the other of both. */
export function whenOf({
  running,
  canSteer,
  other,
}: {
  running: boolean;
  canSteer: boolean;
  other: boolean;
}): SendWhen {
  if (!running) return 'now';
  return canSteer !== other ? 'steer' : 'queue';
}

function placeholderOf({ placeholder, running, canSteer }: ComposerProps): string {
  if (placeholder !== undefined) return placeholder;
  if (!running) return 'Ask for a change. @ names a file.';
  return canSteer ? 'Say something to the running turn.' : 'Write what comes next.';
}

/** Pasting, dropping and picking pictures. */
function usePictures(
  { images, onImages, acceptsImages }: ComposerProps,
  onProblem: (text: string | null) => void,
) {
  const [isOver, setOver] = useState(false);
  const take = (files: readonly File[]): void => {
    if (files.length === 0) return;
    if (!acceptsImages) {
      onProblem('This agent does not take pictures.');
      return;
    }
    readImages(files, images.length).then(
      (read) => {
        onImages([...images, ...read.images]);
        onProblem(read.refused.length === 0 ? null : read.refused.join(' '));
      },
      () => onProblem('The picture could not be read.'),
    );
  };
  const handlers = {
    onPaste: (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files];
      if (files.length === 0) return;
      event.preventDefault();
      take(files);
    },
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      take([...event.dataTransfer.files]);
    },
  };
  return { isOver, take, handlers };
}

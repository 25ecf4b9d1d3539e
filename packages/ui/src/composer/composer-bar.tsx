import { ArrowUp, ImagePlus, Square } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { IconButton } from '../primitives/icon-button.tsx';
import { IMAGE_TYPES } from './images.ts';
import { Pickers, type PickersProps } from './pickers.tsx';

export interface ComposerBarProps {
  readonly pickers: PickersProps;
  readonly acceptsImages: boolean;
  readonly running: boolean;
  readonly canSteer: boolean;
  readonly isEmpty: boolean;
  readonly disabledReason: string | null;
  readonly onInterrupt: () => void;
  readonly onPick: (files: readonly File[]) => void;
  readonly onSendNow: (other: boolean) => void;
}

/** Below the text: who answers, and the buttons. */
export function ComposerBar(props: ComposerBarProps) {
  const { pickers, acceptsImages, running, canSteer, isEmpty, disabledReason, onInterrupt, onSendNow } =
    props;
  return (
    <div className="flex flex-wrap items-center gap-1 px-1.5 pb-1.5">
      <Pickers {...pickers} />
      <div className="ml-auto flex items-center gap-1">
        {acceptsImages && <ImageButton onPick={props.onPick} />}
        {running && (
          <Button
            data-testid="interrupt"
            icon={<Icon of={Square} size={14} />}
            shortcut="esc"
            onClick={onInterrupt}
          >
            Interrupt
          </Button>
        )}
        {running && !isEmpty && canSteer && (
          <Button shortcut="⌘⏎" disabledReason={disabledReason} onClick={() => onSendNow(true)}>
            Queue
          </Button>
        )}
        {(!running || !isEmpty) && (
          <Button
            data-testid="send"
            variant="primary"
            icon={<Icon of={ArrowUp} size={14} />}
            shortcut="⏎"
            disabledReason={disabledReason}
            disabled={isEmpty}
            onClick={() => onSendNow(false)}
          >
            {running ? (canSteer ? 'Steer' : 'Queue') : 'Send'}
          </Button>
        )}
      </div>
    </div>
  );
}

function ImageButton({ onPick }: { readonly onPick: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        label="Add a picture"
        icon={<Icon of={ImagePlus} />}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={IMAGE_TYPES.join(',')}
        aria-label="Pictures"
        onChange={(event) => {
          onPick([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}

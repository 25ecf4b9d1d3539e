import { ArrowUp, ImagePlus, Square } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../primitives/button.tsx';
import { Icon } from '../primitives/icon.tsx';
import { IconButton } from '../primitives/icon-button.tsx';
import { Segmented } from '../primitives/segmented.tsx';
import { SEND_WORDS } from './composer-words.ts';
import { IMAGE_TYPES } from './images.ts';
import type { FollowUp, SendWhen } from './keys.ts';
import { Pickers, type PickersProps } from './pickers.tsx';

export interface ComposerBarProps {
  readonly pickers: PickersProps;
  readonly acceptsImages: boolean;
  readonly running: boolean;
  readonly isEmpty: boolean;
  /** What sending does now. */
  readonly when: SendWhen;
  /** What is chosen for a running turn; null when there is nothing to choose. */
  readonly followUp: FollowUp | null;
  readonly onFollowUp: (followUp: FollowUp) => void;
  readonly disabledReason: string | null;
  readonly onInterrupt: () => void;
  readonly onPick: (files: readonly File[]) => void;
  readonly onSend: () => void;
}

const FOLLOW_UPS = [
  { value: 'steer', label: 'Steer now' },
  { value: 'queue', label: 'After this turn' },
] as const;

/** Below the text: who answers, and the buttons. */
export function ComposerBar(props: ComposerBarProps) {
  const { running, isEmpty, followUp, disabledReason } = props;
  return (
    <div className="flex flex-wrap items-center gap-1 px-1.5 pb-1.5">
      <div className="flex min-w-0 items-center">
        <Pickers {...props.pickers} />
        {props.acceptsImages && <ImageButton onPick={props.onPick} />}
      </div>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-1">
        {followUp !== null && (
          <Segmented
            label="What is sent while the turn runs"
            value={followUp}
            options={FOLLOW_UPS}
            onChange={props.onFollowUp}
          />
        )}
        {running && (
          <Button
            data-testid="interrupt"
            icon={<Icon of={Square} size={14} />}
            shortcut="esc"
            // It comes where Send was: the second half of a double click must not end the turn that the first began.
            onClick={(event) => {
              if (event.detail < 2) props.onInterrupt();
            }}
          >
            <span className={followUp !== null && !isEmpty ? 'max-sm:sr-only' : undefined}>Interrupt</span>
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
            onClick={props.onSend}
          >
            {SEND_WORDS[props.when]}
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

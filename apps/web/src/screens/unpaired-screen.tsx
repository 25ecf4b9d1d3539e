import { Button } from '@skein/ui/primitives/button';
import { CopyButton } from '@skein/ui/primitives/copy-button';
import { ErrorBox } from '@skein/ui/primitives/error-box';
import { TextInput } from '@skein/ui/primitives/text-input';
import { type FormEvent, useState } from 'react';
import type { UnpairedReason } from '../state/session.ts';

export interface UnpairedScreenProps {
  readonly why: UnpairedReason;
  readonly message: string | null;
  readonly onPair: (pasted: string) => Promise<void>;
}

const COMMAND = 'skein open';

/** Nothing is shown to a browser without a key; this says how to get one. */
export function UnpairedScreen({ why, message, onPair }: UnpairedScreenProps) {
  const [pasted, setPasted] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onPair(pasted).catch(reportError);
  };
  return (
    <main data-testid="unpaired" className="grid h-dvh place-items-center overflow-y-auto p-6">
      <div className="w-full max-w-md">
        <h1 className="font-semibold text-title">
          {why === 'revoked' ? "This browser's key was removed" : 'This browser is not paired yet'}
        </h1>
        <p className="mt-1 text-pretty text-fg-2">
          {why === 'revoked'
            ? 'Your sessions and drafts are untouched. Open Skein again from a terminal on this machine:'
            : 'Skein answers only browsers that were opened from a terminal on this machine:'}
        </p>
        <div className="mt-3 flex items-center gap-2 rounded-panel border border-line bg-sunken py-1 pr-1 pl-3">
          <code className="flex-1 text-code">{COMMAND}</code>
          <CopyButton label="Copy the command" text={() => COMMAND} />
        </div>
        <form onSubmit={submit} className="mt-6 flex items-end gap-2">
          <TextInput
            label="Or paste the link it prints"
            className="min-w-0 flex-1"
            mono
            value={pasted}
            onChange={setPasted}
            placeholder="http://127.0.0.1:4765/#code=…"
            autoComplete="off"
            spellCheck={false}
          />
          <Button variant="primary" type="submit" disabled={pasted.trim() === ''}>
            Pair
          </Button>
        </form>
        {message !== null && (
          <div className="mt-4">
            <ErrorBox
              happened={message}
              kept="Nothing was changed."
              next="A link works once, for one minute."
            />
          </div>
        )}
      </div>
    </main>
  );
}

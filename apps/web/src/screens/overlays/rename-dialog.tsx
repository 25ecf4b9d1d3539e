import type { StrandId } from '@skein/core/record/ids';
import { isValidName } from '@skein/core/strand/selector';
import { Button } from '@skein/ui/primitives/button';
import { Dialog } from '@skein/ui/primitives/dialog';
import { TextInput } from '@skein/ui/primitives/text-input';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { problemOf } from '../../bridge/problem.ts';
import { useSummary } from '../../state/hooks.ts';
import { useWorkbench } from '../../state/workbench.ts';

/** A name is one word, so that commands can use it; empty gives the title back. */
export function RenameDialog({ strand }: { readonly strand: StrandId }) {
  const { ui, bridge } = useWorkbench();
  const summary = useSummary(strand);
  const form = useId();
  const [name, setName] = useState(summary?.name ?? '');
  const rename = useMutation(bridge.trpc.strands.name.mutationOptions({ onSuccess: ui.closeOverlay }));
  const word = name.trim().replace(/\s+/g, '-');
  const isValid = word === '' || isValidName(word);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) rename.mutate({ strand, name: word });
  };
  const error = rename.isError
    ? problemOf(rename.error).message
    : isValid
      ? null
      : 'Not "latest", a number, or hex digits only.';
  return (
    <Dialog
      open
      onOpenChange={ui.closeOverlay}
      title="Rename the session"
      size="sm"
      footer={
        <>
          <Button onClick={ui.closeOverlay}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} disabled={!isValid || rename.isPending}>
            {word === '' ? 'Remove the name' : 'Rename'}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="px-4 py-3">
        <TextInput
          label="Name"
          value={name}
          onChange={setName}
          error={error}
          hint={word !== name.trim() ? `Saved as ${word}` : 'One word; empty shows the first prompt instead.'}
          maxLength={64}
          autoFocus
        />
      </form>
    </Dialog>
  );
}

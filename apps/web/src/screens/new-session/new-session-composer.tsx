import { Composer, type ComposerHandle } from '@skein/ui/composer/composer';
import { Button } from '@skein/ui/primitives/button';
import { useEffect, useRef } from 'react';
import { useSelected } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench.ts';
import type { NewSession } from './use-new-session.ts';

const NO_IMAGES: readonly never[] = [];

/** The composer of a session that does not exist yet: sending makes it. */
export function NewSessionComposer({ session }: { readonly session: NewSession }) {
  const { page, ui, router } = useWorkbench();
  const text = useSelected(page.drafts, (drafts) => drafts['new'] ?? '');
  const images = useSelected(ui.images, (all) => all['new'] ?? NO_IMAGES);
  const { choice, agents, pick, start, isStarting } = session;
  const { agent } = choice;
  const handle = useRef<ComposerHandle>(null);
  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) handle.current?.focus();
  }, []);
  const reason = reasonAgainst(session);
  return (
    <div>
      <Composer
        ref={handle}
        text={text}
        onText={(next) => page.setDraft('new', next)}
        images={images}
        onImages={(next) => ui.setImages('new', next)}
        onSend={(prompt) => {
          start({
            text: prompt.text,
            mentions: [...prompt.mentions],
            images: prompt.images.map(({ mime, b64, name }) => ({ mime, b64, name })),
          })
            .then((done) => done && ui.setImages('new', []))
            .catch(reportError);
        }}
        running={false}
        canSteer={false}
        onInterrupt={() => undefined}
        queue={[]}
        onRemoveQueued={() => undefined}
        acceptsImages={agent?.capabilities.images ?? false}
        pickers={{
          agents,
          agent: agent?.name ?? null,
          model: choice.model,
          mode: choice.mode,
          onAgent: (name) => pick({ agent: name }),
          onModel: (model) => pick({ model }),
          onMode: (mode) => pick({ mode }),
        }}
        disabledReason={isStarting ? 'The session is being made.' : reason}
      />
      {agent !== null && !agent.available && (
        <Button size="sm" variant="ghost" className="mt-1" onClick={() => router.go({ kind: 'settings' })}>
          Open settings
        </Button>
      )}
    </div>
  );
}

function reasonAgainst({ choice }: NewSession): string | null {
  if (choice.cwd === null) return 'Choose a folder first.';
  if (choice.agent === null) return 'No agent was found on this machine.';
  return choice.agent.available ? null : choice.agent.reason;
}

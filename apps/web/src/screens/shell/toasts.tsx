import { showToast, ToastHost } from '@skein/ui/primitives/toast-host';
import { useEffect } from 'react';
import { titleOf } from '../../state/hooks.ts';
import { useWorkbench } from '../../state/workbench.ts';

const TONES = { info: 'info', done: 'success', error: 'error' } as const;

/** What is said in passing, by the page and by the bridge. */
export function Toasts() {
  const { ui, feed, openStrand } = useWorkbench();
  useEffect(
    () =>
      ui.onSay(({ tone, text, action }) => {
        const options = action === undefined ? {} : { action: { label: action.label, onSelect: action.run } };
        showToast(text, { tone: TONES[tone], ...options });
      }),
    [ui],
  );
  useEffect(
    () =>
      feed.onEvents((events) => {
        for (const event of events) {
          if (event.type !== 'notice') continue;
          const { id, level, message, strand } = event.notice;
          const open = { label: 'Open', onSelect: () => strand !== null && openStrand(strand) };
          showToast(message, {
            id,
            tone: level,
            ...(strand === null
              ? {}
              : { detail: titleOf(feed.world.get().strands.get(strand)), action: open }),
          });
        }
      }),
    [feed, openStrand],
  );
  return <ToastHost />;
}

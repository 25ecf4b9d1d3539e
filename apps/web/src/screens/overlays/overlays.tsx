import { lazyPart } from '@skein/ui/primitives/lazy-part.ts';
import { Suspense } from 'react';
import type { Command } from '../../state/commands.ts';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench.ts';

const PaletteOverlay = lazyPart(async () => (await import('./palette-overlay.tsx')).PaletteOverlay);
const ShortcutsDialog = lazyPart(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);
const RenameDialog = lazyPart(async () => (await import('./rename-dialog.tsx')).RenameDialog);
const RestoreOverlay = lazyPart(async () => (await import('./restore-overlay.tsx')).RestoreOverlay);

/** What is open on top of the page; loaded when it is wanted. */
export function Overlays({ commands }: { readonly commands: readonly Command[] }) {
  const overlay = useStore(useWorkbench().ui.overlay);
  if (overlay === null) return null;
  return (
    <Suspense>
      {overlay.kind === 'palette' && <PaletteOverlay commands={commands} mode={overlay.mode} />}
      {overlay.kind === 'shortcuts' && <ShortcutsDialog commands={commands} />}
      {overlay.kind === 'rename' && <RenameDialog strand={overlay.strand} />}
      {overlay.kind === 'restore' && <RestoreOverlay request={overlay.request} />}
    </Suspense>
  );
}

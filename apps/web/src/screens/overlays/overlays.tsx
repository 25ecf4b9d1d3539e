import { lazy, Suspense } from 'react';
import type { Command } from '../../state/commands.ts';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench.ts';

const PaletteOverlay = lazy(async () => {
  const { PaletteOverlay: overlay } = await import('./palette-overlay.tsx');
  return { default: overlay };
});
const ShortcutsDialog = lazy(async () => {
  const { ShortcutsDialog: dialog } = await import('./shortcuts-dialog.tsx');
  return { default: dialog };
});
const RenameDialog = lazy(async () => {
  const { RenameDialog: dialog } = await import('./rename-dialog.tsx');
  return { default: dialog };
});
const RestoreOverlay = lazy(async () => {
  const { RestoreOverlay: overlay } = await import('./restore-overlay.tsx');
  return { default: overlay };
});

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

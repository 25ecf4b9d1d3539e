import type { StrandId } from '@skein/core/record/ids';
import { Palette } from '@skein/ui/search/palette';
import { useMemo } from 'react';
import type { Command } from '../../state/commands.ts';
import { stateKindOf, titleOf, useWorld } from '../../state/hooks.ts';
import { folderName } from '../../state/paths.ts';
import { filterStrands, NO_FILTER } from '../../state/strand-filter.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { useKeys } from '../shell/use-keys.ts';

export interface PaletteOverlayProps {
  readonly commands: readonly Command[];
  /** `sessions`: titles and folders only. */
  readonly mode: 'all' | 'sessions';
}

/** ⌘K and ⌘⇧F: everything by name. */
export function PaletteOverlay({ commands, mode }: PaletteOverlayProps) {
  const { ui, openStrand } = useWorkbench();
  const label = useKeys();
  const strands = useWorld((world) => world.strands);
  const rows = useMemo(
    () =>
      filterStrands(strands.values(), NO_FILTER).map((summary) => ({
        id: summary.id,
        title: titleOf(summary),
        detail: `${folderName(summary.cwd)} · ${summary.agent}`,
        state: stateKindOf(summary),
      })),
    [strands],
  );
  const shown = mode === 'sessions' ? [] : commands.filter(({ id }) => !/^(tab-\d|palette)$/.test(id));
  return (
    <Palette
      open
      onOpenChange={ui.closeOverlay}
      commands={shown.map(({ id, title, group, keys, run }) => ({
        id,
        title,
        group,
        ...(keys === null ? {} : { shortcut: label(keys) }),
        onRun: run,
      }))}
      strands={rows}
      onOpenStrand={(id) => {
        openStrand(id as StrandId);
        ui.showNarrow('session');
      }}
      {...(mode === 'sessions' ? { placeholder: 'Search sessions by title or folder' } : {})}
    />
  );
}

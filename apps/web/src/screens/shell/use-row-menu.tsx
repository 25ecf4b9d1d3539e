import type { StrandSummary } from '@skein/core/protocol/strands';
import { Icon } from '@skein/ui/primitives/icon';
import type { MenuEntry } from '@skein/ui/primitives/menu';
import { Archive, ArchiveRestore, Copy, FolderOpen, Pencil, Pin, PinOff } from 'lucide-react';
import { useCallback } from 'react';
import { problemOf } from '../../bridge/problem.ts';
import { sentenceOf } from '../../state/use-problem.ts';
import { useWorkbench } from '../../state/workbench.ts';

/** What can be done with a session in the list. */
export function useRowMenu(): (summary: StrandSummary) => readonly MenuEntry[] {
  const { bridge, ui, router } = useWorkbench();
  return useCallback(
    (summary) => {
      const { id, archived, pinned, cwd } = summary;
      const say = (error: unknown) => ui.say({ tone: 'error', text: sentenceOf(problemOf(error)) });
      const flag = (flags: { archived?: boolean; pinned?: boolean }) => () => {
        bridge.api.strands.flag.mutate({ strand: id, ...flags }).catch(say);
      };
      return [
        {
          id: 'rename',
          label: 'Rename…',
          icon: <Icon of={Pencil} />,
          onSelect: () => ui.open({ kind: 'rename', strand: id }),
        },
        pinned
          ? { id: 'pin', label: 'Unpin', icon: <Icon of={PinOff} />, onSelect: flag({ pinned: false }) }
          : { id: 'pin', label: 'Pin', icon: <Icon of={Pin} />, onSelect: flag({ pinned: true }) },
        archived
          ? {
              id: 'archive',
              label: 'Bring back from the archive',
              icon: <Icon of={ArchiveRestore} />,
              onSelect: flag({ archived: false }),
            }
          : {
              id: 'archive',
              label: 'Archive',
              icon: <Icon of={Archive} />,
              onSelect: flag({ archived: true }),
            },
        { kind: 'line', id: 'line' },
        {
          id: 'new-here',
          label: 'New session in this folder',
          icon: <Icon of={FolderOpen} />,
          onSelect: () => router.go({ kind: 'new', cwd }),
        },
        {
          id: 'copy',
          label: 'Copy id',
          icon: <Icon of={Copy} />,
          onSelect: () => {
            navigator.clipboard
              .writeText(id)
              .then(() => ui.say({ tone: 'done', text: `Copied ${id}.` }))
              .catch(say);
          },
        },
      ];
    },
    [bridge, ui, router],
  );
}

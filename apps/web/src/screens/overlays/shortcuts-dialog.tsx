import { Dialog } from '@skein/ui/primitives/dialog';
import { Kbd } from '@skein/ui/primitives/kbd';
import type { Command } from '../../state/commands.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { useKeys } from '../shell/use-keys.ts';

interface Shortcut {
  readonly title: string;
  readonly keys: readonly string[];
}

/** Keys that belong to a place rather than to the whole page. */
const PLACES: readonly { readonly group: string; readonly shortcuts: readonly Shortcut[] }[] = [
  {
    group: 'In the transcript',
    shortcuts: [
      { title: 'Turn by turn', keys: ['J', 'K'] },
      { title: 'Unfold or fold', keys: ['⏎'] },
    ],
  },
  {
    group: 'In the composer',
    shortcuts: [
      { title: 'Send', keys: ['⏎'] },
      { title: 'New line', keys: ['⇧⏎'] },
      { title: 'Name a file', keys: ['@'] },
      { title: 'Interrupt the turn', keys: ['esc'] },
    ],
  },
];

export function ShortcutsDialog({ commands }: { readonly commands: readonly Command[] }) {
  const { ui } = useWorkbench();
  const label = useKeys();
  const shown = commands.filter(({ id }) => !/^tab-[3-8]$/.test(id));
  const groups = (['Sessions', 'Tabs', 'Turns', 'Page'] as const).map((group) => ({
    group,
    shortcuts: shown.flatMap((command): Shortcut[] =>
      command.group === group && command.keys !== null
        ? [{ title: command.title, keys: [label(command.keys)] }]
        : [],
    ),
  }));
  return (
    <Dialog open onOpenChange={ui.closeOverlay} title="Shortcuts">
      <div className="columns-1 gap-8 px-4 py-3 sm:columns-2">
        {[...groups, ...PLACES].map(({ group, shortcuts }) => (
          <section key={group} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-fg-3 text-meta">{group}</h3>
            <dl>
              {shortcuts.map(({ title, keys }) => (
                <div key={title} className="flex items-center justify-between gap-3 py-0.5">
                  <dt>{title}</dt>
                  <dd className="flex gap-1">
                    {keys.map((key) => (
                      <Kbd key={key} keys={key} always />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

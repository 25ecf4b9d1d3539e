import { useEffect, useMemo } from 'react';
import { type Command, commandsOf } from '../../state/commands.ts';
import { isMacOs, matches } from '../../state/keys.ts';
import { useWorkbench } from '../../state/workbench.ts';

/** Listens for the shortcuts of the whole page; what a dialog or a menu handles first stays theirs. */
export function useShortcuts(): readonly Command[] {
  const workbench = useWorkbench();
  const commands = useMemo(() => commandsOf(workbench), [workbench]);
  useEffect(() => {
    const isMac = isMacOs(navigator.platform);
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      const command = commands.find(({ keys }) => keys !== null && matches(keys, event, isMac));
      if (command === undefined) return;
      if (command.applies !== undefined && !command.applies(event.target)) return;
      event.preventDefault();
      command.run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [commands]);
  return commands;
}

/** What the keyboard and the palette can do everywhere. */
import type { RestoreRequest } from '@skein/core/protocol/restore';
import { isTextField } from './keys.ts';
import type { Workbench } from './workbench.ts';

export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: 'Sessions' | 'Tabs' | 'Turns' | 'Page';
  readonly keys: string | null;
  /** False: the key press is not ours. */
  readonly applies?: ((target: EventTarget | null) => boolean) | undefined;
  readonly run: () => void;
}

export function commandsOf(workbench: Workbench): readonly Command[] {
  return [
    ...sessionCommands(workbench),
    ...tabCommands(workbench),
    ...turnCommands(workbench),
    ...pageCommands(workbench),
  ];
}

function sessionCommands({ router, ui, feed, openStrand }: Workbench): readonly Command[] {
  return [
    {
      id: 'new',
      title: 'New session',
      group: 'Sessions',
      keys: 'alt+KeyT',
      run: () => {
        router.go({ kind: 'new', cwd: null });
        ui.showNarrow('session');
      },
    },
    {
      id: 'search-text',
      title: 'Search in all sessions',
      group: 'Sessions',
      keys: 'alt+KeyS',
      run: () => {
        router.go({ kind: 'search' });
        ui.showNarrow('session');
      },
    },
    {
      id: 'history',
      title: 'Sessions of other agents',
      group: 'Sessions',
      keys: null,
      run: () => {
        router.go({ kind: 'history' });
        ui.showNarrow('session');
      },
    },
    {
      id: 'next-waiting',
      title: 'Go to what waits for you',
      group: 'Sessions',
      keys: 'alt+KeyU',
      run: () => {
        const { permissions } = feed.world.get();
        const route = router.route.get();
        const here = route.kind === 'session' ? route.strand : null;
        const at = permissions.findIndex((request) => request.strand === here);
        const next = permissions[at + 1] ?? permissions[0];
        if (next === undefined) {
          ui.say({ tone: 'info', text: 'Nothing waits for you.' });
          return;
        }
        openStrand(next.strand);
        ui.showNarrow('session');
      },
    },
  ];
}

function tabCommands({ router, page, closeTab, reopenTab }: Workbench): readonly Command[] {
  const open = () => page.tabs.get()?.open ?? [];
  const here = () => {
    const route = router.route.get();
    return route.kind === 'session' ? route.strand : null;
  };
  const show = (index: number) => {
    const strand = open()[index];
    if (strand !== undefined) router.go({ kind: 'session', strand, turn: null });
  };
  const step = (by: number) => {
    const tabs = open();
    const strand = here();
    const at = strand === null ? -1 : tabs.indexOf(strand);
    if (tabs.length > 0) show((at + by + tabs.length) % tabs.length);
  };
  const digits = Array.from({ length: 9 }, (_, index): Command => {
    return {
      id: `tab-${index + 1}`,
      title: index === 8 ? 'Last tab' : `Tab ${index + 1}`,
      group: 'Tabs',
      keys: `alt+Digit${index + 1}`,
      run: () => show(index === 8 ? open().length - 1 : index),
    };
  });
  return [
    {
      id: 'close-tab',
      title: 'Close tab',
      group: 'Tabs',
      keys: 'alt+KeyW',
      run: () => {
        const strand = here();
        if (strand !== null) closeTab(strand);
      },
    },
    { id: 'reopen-tab', title: 'Reopen closed tab', group: 'Tabs', keys: 'alt+shift+KeyT', run: reopenTab },
    { id: 'next-tab', title: 'Next tab', group: 'Tabs', keys: 'alt+BracketRight', run: () => step(1) },
    {
      id: 'previous-tab',
      title: 'Previous tab',
      group: 'Tabs',
      keys: 'alt+BracketLeft',
      run: () => step(-1),
    },
    ...digits,
  ];
}

/** ⌘Z belongs to the text field while one has the focus. */
function turnCommands({ router, ui, bridge }: Workbench): readonly Command[] {
  const inTranscript = (target: EventTarget | null) =>
    target instanceof Element &&
    !isTextField(target) &&
    target.closest('[data-testid="transcript"]') !== null;
  const ask = (direction: RestoreRequest['direction']) => () => {
    const route = router.route.get();
    if (route.kind !== 'session') return;
    const { strand } = route;
    bridge.queries
      .fetchQuery(bridge.trpc.restore.actions.queryOptions({ strand }, { staleTime: 0 }))
      .then((actions) => {
        const action = actions[direction];
        if (action.enabled) ui.open({ kind: 'restore', request: { strand, direction, scope: 'both' } });
        else ui.say({ tone: 'info', text: action.reason ?? `There is nothing to ${direction}.` });
      })
      .catch(reportError);
  };
  return [
    {
      id: 'interrupt',
      title: 'Interrupt the turn',
      group: 'Turns',
      keys: 'Escape',
      applies: (target) => inTranscript(target) && ui.overlay.get() === null,
      run: () => {
        const route = router.route.get();
        if (route.kind === 'session')
          bridge.api.turns.interrupt.mutate({ strand: route.strand }).catch(reportError);
      },
    },
    {
      id: 'undo',
      title: 'Undo the last turn…',
      group: 'Turns',
      keys: 'mod+KeyZ',
      applies: inTranscript,
      run: ask('undo'),
    },
    {
      id: 'redo',
      title: 'Redo…',
      group: 'Turns',
      keys: 'mod+shift+KeyZ',
      applies: inTranscript,
      run: ask('redo'),
    },
  ];
}

function pageCommands({ router, ui, layout, theme }: Workbench): readonly Command[] {
  const outsideText = (target: EventTarget | null) => !isTextField(target);
  const toggle = (panel: 'sidebar' | 'inspector') => () => {
    const { sidebarOpen, inspectorOpen } = layout.get();
    layout.show(panel, panel === 'sidebar' ? !sidebarOpen : !inspectorOpen);
    ui.showNarrow(panel === 'sidebar' ? 'list' : 'inspector');
  };
  return [
    {
      id: 'palette',
      title: 'Commands and sessions',
      group: 'Page',
      keys: 'mod+KeyK',
      run: () => ui.open({ kind: 'palette', mode: 'all' }),
    },
    {
      id: 'search',
      title: 'Search sessions',
      group: 'Page',
      keys: 'mod+shift+KeyF',
      run: () => ui.open({ kind: 'palette', mode: 'sessions' }),
    },
    {
      id: 'sidebar',
      title: 'Show or hide sessions',
      group: 'Page',
      keys: 'alt+KeyB',
      run: toggle('sidebar'),
    },
    {
      id: 'inspector',
      title: 'Show or hide changes',
      group: 'Page',
      keys: 'alt+KeyI',
      run: toggle('inspector'),
    },
    {
      id: 'settings',
      title: 'Settings',
      group: 'Page',
      keys: 'mod+Comma',
      run: () => router.go({ kind: 'settings' }),
    },
    {
      id: 'doctor',
      title: 'Check this installation',
      group: 'Page',
      keys: null,
      run: () => router.go({ kind: 'doctor' }),
    },
    { id: 'theme-dark', title: 'Theme: dark', group: 'Page', keys: null, run: () => theme.choose('dark') },
    { id: 'theme-light', title: 'Theme: light', group: 'Page', keys: null, run: () => theme.choose('light') },
    {
      id: 'theme-system',
      title: 'Theme: as the system',
      group: 'Page',
      keys: null,
      run: () => theme.choose('system'),
    },
    {
      id: 'shortcuts',
      title: 'All shortcuts',
      group: 'Page',
      keys: 'Question',
      applies: outsideText,
      run: () => ui.open({ kind: 'shortcuts' }),
    },
  ];
}

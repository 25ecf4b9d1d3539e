import type { StrandId } from '@skein/core/record/ids';
import { Icon } from '@skein/ui/primitives/icon';
import { IconButton } from '@skein/ui/primitives/icon-button';
import { Menu, type MenuEntry } from '@skein/ui/primitives/menu';
import { StateDot, type StateKind } from '@skein/ui/primitives/state-dot';
import { TabStrip } from '@skein/ui/primitives/tab-strip';
import { ChevronDown, ChevronLeft, PanelLeft, PanelRight, Plus } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { foreignTitle, useForeignSession, useForeignSessions } from '../../state/foreign.ts';
import { stateKindOf, titleOf, useMedia, useRoute, useWorld } from '../../state/hooks.ts';
import { useStore } from '../../state/store.ts';
import { movedTab, type Tabs, withTab } from '../../state/tabs.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { NARROW } from './narrow.ts';
import { useKeys } from './use-keys.ts';

const NONE: Tabs = { open: [], closed: [] };

/** The open sessions, the same in every window of this bridge. */
export function TabBar() {
  const { page, router, closeTab, ui } = useWorkbench();
  const tabs = useStore(page.tabs) ?? NONE;
  const strands = useWorld((world) => world.strands);
  const seen = useStore(useWorkbench().seen);
  const route = useRoute();
  const active = route.kind === 'session' ? route.strand : null;
  const isNarrow = useMedia(NARROW);
  useSeen(active);
  useTabOf(active);
  const foreign = useForeignSessions(tabs.open);
  const items = tabs.open.map((id, index) => {
    const summary = strands.get(id);
    const imported = foreign[index] ?? null;
    if (imported !== null)
      return { id, title: foreignTitle(imported), state: 'readonly' as const, unread: false };
    const unread = id !== active && summary !== undefined && (seen[id] ?? '') < summary.updatedAt;
    return { id, title: titleOf(summary), state: stateKindOf(summary), unread };
  });
  const select = (id: string) => {
    router.go({ kind: 'session', strand: id as StrandId, turn: null });
    ui.showNarrow('session');
  };
  const move = (id: string, before: string | null) =>
    page.changeTabs((now) => movedTab(now, id as StrandId, before as StrandId | null));
  if (isNarrow) {
    const here = items.find(({ id }) => id === active);
    return (
      <NarrowHead title={here?.title ?? null} state={here?.state ?? null}>
        <TabTools items={items} active={active} onSelect={select} />
      </NarrowHead>
    );
  }
  return (
    <div className="flex items-stretch">
      <SidebarButton />
      <div className="min-w-0 flex-1">
        <TabStrip
          label="Open sessions"
          tabs={items}
          active={active}
          onSelect={select}
          onClose={(id) => closeTab(id as StrandId)}
          onMove={move}
        >
          <TabTools items={items} active={active} onSelect={select} />
        </TabStrip>
      </div>
    </div>
  );
}

interface NarrowHeadProps {
  readonly title: string | null;
  readonly state: StateKind | null;
  readonly children: ReactNode;
}

/** On a phone there is no room for tabs: the title, the way back, and the other tabs in a menu. */
function NarrowHead({ title, state, children }: NarrowHeadProps) {
  const { ui } = useWorkbench();
  return (
    <header className="flex h-11 shrink-0 items-center border-line border-b bg-sunken px-1">
      <IconButton
        label="Back to the sessions"
        icon={<Icon of={ChevronLeft} />}
        onClick={() => ui.showNarrow('list')}
      />
      <p className="flex min-w-0 flex-1 items-center gap-1.5">
        {state !== null && <StateDot state={state} />}
        <span className="truncate font-medium">{title}</span>
      </p>
      {children}
    </header>
  );
}

interface TabToolsProps {
  readonly items: readonly { readonly id: string; readonly title: string }[];
  readonly active: StrandId | null;
  readonly onSelect: (id: string) => void;
}

function TabTools({ items, active, onSelect }: TabToolsProps) {
  const { router, page, closeTab, reopenTab, layout, ui } = useWorkbench();
  const keys = useKeys();
  const isNarrow = useMedia(NARROW);
  const { inspectorOpen } = useStore(layout);
  const closed = useStore(page.tabs)?.closed.length ?? 0;
  const entries: MenuEntry[] = [
    ...items.map(({ id, title }): MenuEntry => {
      return { kind: 'choice', id, label: title, selected: id === active, onSelect: () => onSelect(id) };
    }),
    ...(items.length > 0 ? [{ kind: 'line', id: 'line' } as const] : []),
    {
      id: 'reopen',
      label: 'Reopen closed tab',
      shortcut: keys('alt+shift+KeyT'),
      disabledReason: closed === 0 ? 'No tab was closed in this window.' : null,
      onSelect: reopenTab,
    },
    {
      id: 'close-others',
      label: 'Close other tabs',
      disabledReason: items.length < 2 || active === null ? 'There is no other tab.' : null,
      onSelect: () => {
        for (const { id } of items) if (id !== active) closeTab(id as StrandId);
      },
    },
  ];
  return (
    <>
      <IconButton
        label="New session"
        shortcut={keys('alt+KeyT')}
        icon={<Icon of={Plus} />}
        onClick={() => router.go({ kind: 'new', cwd: null })}
      />
      <Menu
        align="end"
        trigger={<IconButton label="All tabs" icon={<Icon of={ChevronDown} />} />}
        entries={entries}
      />
      {active !== null && (
        <IconButton
          label={isNarrow || !inspectorOpen ? 'Show changes' : 'Hide changes'}
          shortcut={keys('alt+KeyI')}
          pressed={!isNarrow && inspectorOpen}
          icon={<Icon of={PanelRight} />}
          onClick={() => (isNarrow ? ui.showNarrow('inspector') : layout.show('inspector', !inspectorOpen))}
        />
      )}
    </>
  );
}

function SidebarButton() {
  const { layout } = useWorkbench();
  const keys = useKeys();
  const { sidebarOpen } = useStore(layout);
  if (sidebarOpen) return null;
  return (
    <div className="flex items-center border-line border-b bg-sunken pl-1">
      <IconButton
        label="Show sessions"
        shortcut={keys('alt+KeyB')}
        icon={<Icon of={PanelLeft} />}
        onClick={() => layout.show('sidebar', true)}
      />
    </div>
  );
}

/** What is on the screen is read. */
function useSeen(active: StrandId | null): void {
  const { seen } = useWorkbench();
  const updatedAt = useWorld((world) => (active === null ? undefined : world.strands.get(active)?.updatedAt));
  useEffect(() => {
    if (active === null || updatedAt === undefined) return undefined;
    const mark = () => {
      if (document.visibilityState === 'visible') seen.mark(active, updatedAt);
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [active, seen, updatedAt]);
}

/** What the address names gets a tab, once; when another window closes it, it stays closed. */
function useTabOf(active: StrandId | null): void {
  const { page, local } = useWorkbench();
  const isLoaded = useStore(page.tabs) !== null;
  const isForeign = useForeignSession(active) !== null;
  const isOwn = useWorld((world) => active !== null && world.strands.has(active));
  const isKnown = isOwn || isForeign;
  useEffect(() => {
    if (!isLoaded || !isKnown || active === null) return;
    page.changeTabs((tabs) => withTab(tabs, active, null));
    local.write('last', active);
  }, [active, isKnown, isLoaded, local, page]);
}

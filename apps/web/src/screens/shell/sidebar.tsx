import type { StrandId } from '@skein/core/record/ids';
import { EmptyState } from '@skein/ui/primitives/empty-state';
import { Icon } from '@skein/ui/primitives/icon';
import { IconButton } from '@skein/ui/primitives/icon-button';
import { Kbd } from '@skein/ui/primitives/kbd';
import { Skeleton } from '@skein/ui/primitives/skeleton';
import { StrandList } from '@skein/ui/strand/strand-list';
import { History, PanelLeft, Plus, Search, Settings } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useNow, useRoute, useWorld } from '../../state/hooks.ts';
import { useStore } from '../../state/store.ts';
import { filterStrands, isFiltering, NO_FILTER, type StrandFilter } from '../../state/strand-filter.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { SidebarFilters } from './sidebar-filters.tsx';
import { SidebarJobs } from './sidebar-jobs.tsx';
import { useKeys } from './use-keys.ts';
import { useRowMenu } from './use-row-menu.tsx';
import { WaitingList } from './waiting-list.tsx';

/** All sessions of this machine, what waits for an answer first. */
export function Sidebar() {
  const { openStrand, router, ui, seen, folders } = useWorkbench();
  const isReady = useWorld((world) => world.ready);
  const strands = useWorld((world) => world.strands);
  const route = useRoute();
  const [filter, setFilter] = useState<StrandFilter>(NO_FILTER);
  const found = useMemo(() => filterStrands(strands.values(), filter), [strands, filter]);
  const closed = useStore(folders);
  const seenAt = useStore(seen);
  const unread = useMemo(
    () => new Set(found.flatMap(({ id, updatedAt }) => ((seenAt[id] ?? updatedAt) < updatedAt ? [id] : []))),
    [found, seenAt],
  );
  const now = useNow(30_000);
  const menu = useRowMenu();
  const open = useCallback(
    (id: StrandId) => {
      openStrand(id);
      ui.showNarrow('session');
    },
    [openStrand, ui],
  );
  const startIn = useCallback(
    (cwd: string) => {
      router.go({ kind: 'new', cwd });
      ui.showNarrow('session');
    },
    [router, ui],
  );
  return (
    <nav
      data-testid="sidebar"
      aria-label="Sessions"
      className="flex min-h-0 flex-1 flex-col border-line bg-sunken"
    >
      <SidebarHead />
      <WaitingList onOpen={open} />
      <SidebarFilters filter={filter} onFilter={setFilter} strands={strands} />
      {!isReady && <Skeleton label="Sessions are loading" rows={8} className="p-3" />}
      {isReady && found.length === 0 && (
        <div className="flex-1">
          {isFiltering(filter) ? (
            <EmptyState title="No session fits" text="Take a filter away, or search with ⌘K." />
          ) : (
            <EmptyState title="No sessions yet" text="The first one appears here." />
          )}
        </div>
      )}
      {found.length > 0 && (
        <StrandList
          summaries={found}
          selected={route.kind === 'session' ? route.strand : null}
          unread={unread}
          closedFolders={closed}
          nowMs={now.getTime()}
          onOpen={open}
          onToggleFolder={folders.toggle}
          onNewIn={startIn}
          menu={menu}
        />
      )}
      <SidebarJobs />
    </nav>
  );
}

function SidebarHead() {
  const { router, ui, layout } = useWorkbench();
  const keys = useKeys();
  return (
    <div className="flex h-9 shrink-0 items-center gap-0.5 px-1.5 max-md:h-12">
      <button
        type="button"
        onClick={() => ui.open({ kind: 'palette', mode: 'all' })}
        className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded-control px-2 text-left text-fg-3 hover:bg-hover hover:text-fg touch:h-11"
      >
        <Icon of={Search} size={14} />
        <span className="min-w-0 flex-1 truncate">Search</span>
        <Kbd keys={keys('mod+KeyK')} quiet />
      </button>
      <IconButton
        label="New session"
        shortcut={keys('alt+KeyT')}
        icon={<Icon of={Plus} />}
        onClick={() => {
          router.go({ kind: 'new', cwd: null });
          ui.showNarrow('session');
        }}
      />
      <IconButton
        label="Sessions of other agents"
        icon={<Icon of={History} />}
        onClick={() => {
          router.go({ kind: 'history' });
          ui.showNarrow('session');
        }}
      />
      <IconButton
        label="Settings"
        shortcut={keys('mod+Comma')}
        icon={<Icon of={Settings} />}
        onClick={() => {
          router.go({ kind: 'settings' });
          ui.showNarrow('session');
        }}
      />
      <IconButton
        label="Hide sessions"
        shortcut={keys('alt+KeyB')}
        icon={<Icon of={PanelLeft} />}
        onClick={() => layout.show('sidebar', false)}
        className="max-md:hidden"
      />
    </div>
  );
}

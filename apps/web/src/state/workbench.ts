/** Everything the page holds while it is paired, made once per key at the root and handed down by context. */
import type { StrandId } from '@skein/core/record/ids';
import { createContext, use } from 'react';
import { type Bridge, connectBridge } from '../bridge/client.ts';
import { problemOf } from '../bridge/problem.ts';
import { createStrandSource, createWorldSource } from '../bridge/strand-source.ts';
import { createStrandFeeds, type StrandFeeds } from '../sync/strand-feeds.ts';
import { type ClosedFolders, createClosedFolders } from './folders.ts';
import { createLayoutStore, type LayoutStore } from './layout.ts';
import type { LocalStore } from './local.ts';
import { createPageSync, type PageSync } from './page-sync.ts';
import { createPlaces, type Places } from './places.ts';
import { createRouter, type Router } from './route.ts';
import { createSeenStore, type SeenStore } from './seen.ts';
import { neighbourOf, reopened, withoutTab, withTab } from './tabs.ts';
import { createThemeStore, type ThemeStore } from './theme.ts';
import { createUi, type Ui } from './ui.ts';
import { createWorldFeed, type WorldFeed } from './world-feed.ts';

export interface Workbench {
  readonly bridge: Bridge;
  readonly feed: WorldFeed;
  readonly strands: StrandFeeds;
  readonly page: PageSync;
  readonly router: Router;
  readonly layout: LayoutStore;
  readonly seen: SeenStore;
  readonly places: Places;
  readonly folders: ClosedFolders;
  readonly theme: ThemeStore;
  readonly local: LocalStore;
  readonly ui: Ui;
  readonly openStrand: (strand: StrandId, turn?: string) => void;
  readonly closeTab: (strand: StrandId) => void;
  readonly reopenTab: () => void;
  readonly close: () => void;
}

export interface WorkbenchOptions {
  readonly key: string;
  readonly local: LocalStore;
  readonly onUnauthorized: () => void;
}

export function createWorkbench({ key, local, onUnauthorized }: WorkbenchOptions): Workbench {
  const bridge = connectBridge({ key, onUnauthorized });
  const ui = createUi();
  const feed = createWorldFeed(createWorldSource(bridge.api));
  const strands = createStrandFeeds(createStrandSource(bridge.api));
  const router = createRouter(window);
  const page = createPageSync({ set: (input) => bridge.api.page.set.mutate(input) }, (error) => {
    const { code, message } = problemOf(error);
    // Not heard: sent again when the bridge is back, and the bar says so meanwhile.
    if (code !== 'offline') ui.say({ tone: 'error', text: `Tabs and drafts were not saved. ${message}` });
  });
  const unwatch = bridge.connection.subscribe(() => {
    if (bridge.connection.get() === 'open') page.flush();
  });
  const unsubscribe = feed.world.subscribe(() => {
    const { ready, strands: known, page: pageState } = feed.world.get();
    if (!ready) return;
    strands.tell(known);
    page.receive(pageState);
  });
  const current = () => {
    const route = router.route.get();
    return route.kind === 'session' ? route.strand : null;
  };
  const openStrand = (strand: StrandId, turn?: string) => {
    page.changeTabs((tabs) => withTab(tabs, strand, current()));
    router.go({ kind: 'session', strand, turn: turn ?? null });
  };
  return {
    bridge,
    feed,
    strands,
    page,
    router,
    layout: createLayoutStore(local),
    seen: createSeenStore(local),
    places: createPlaces(local),
    folders: createClosedFolders(local),
    theme: createThemeStore(local, document.documentElement),
    local,
    ui,
    openStrand,
    closeTab: (strand) => {
      const open = page.tabs.get()?.open ?? [];
      const next = neighbourOf(open, strand);
      page.changeTabs((tabs) => withoutTab(tabs, strand));
      if (current() !== strand) return;
      if (next === null) router.go({ kind: 'new', cwd: null });
      else router.go({ kind: 'session', strand: next, turn: null });
    },
    reopenTab: () => {
      const tabs = page.tabs.get();
      if (tabs === null) return;
      const { id } = reopened(tabs);
      page.changeTabs((now) => reopened(now).tabs);
      if (id !== null) router.go({ kind: 'session', strand: id, turn: null });
    },
    close: () => {
      page.flush();
      page.stop();
      unsubscribe();
      unwatch();
      feed.stop();
      strands.close();
      router.stop();
      bridge.close();
    },
  };
}

export const WorkbenchContext = createContext<Workbench | null>(null);

export function useWorkbench(): Workbench {
  const workbench = use(WorkbenchContext);
  if (workbench === null) throw new Error('Not inside a workbench.');
  return workbench;
}

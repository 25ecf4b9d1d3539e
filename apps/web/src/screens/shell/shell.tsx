import type { StrandId } from '@skein/core/record/ids';
import { lazyPart } from '@skein/ui/primitives/lazy-part.ts';
import { PanelHandle } from '@skein/ui/primitives/panel-handle';
import { Skeleton } from '@skein/ui/primitives/skeleton';
import { TooltipHost } from '@skein/ui/primitives/tooltip';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useMedia, useRoute, useWorld } from '../../state/hooks.ts';
import { PANEL_LIMITS } from '../../state/layout.ts';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { Overlays } from '../overlays/overlays.tsx';
import { Announcer } from './announcer.tsx';
import { BridgeBar } from './bridge-bar.tsx';
import { Content } from './content.tsx';
import { NARROW } from './narrow.ts';
import { PageTitle } from './page-title.tsx';
import { Sidebar } from './sidebar.tsx';
import { TabBar } from './tab-bar.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import { useVersionCheck } from './use-version-check.ts';
import { VersionScreen } from './version-screen.tsx';

const Inspector = lazyPart(async () => (await import('./inspector.tsx')).Inspector);
const InspectorPage = lazyPart(async () => (await import('./inspector.tsx')).InspectorPage);
const Toasts = lazyPart(async () => (await import('./toasts.tsx')).Toasts);

/** Sessions, tabs with what is open in them, and the inspector; on a phone one of these at a time. */
export function Shell() {
  const commands = useShortcuts();
  const version = useVersionCheck();
  const isNarrow = useMedia(NARROW);
  useFlushOnLeave();
  if (version.kind === 'differs') return <VersionScreen bridge={version.bridge} />;
  return (
    <div data-testid="shell" className="flex h-dvh flex-col">
      <BridgeBar />
      {isNarrow ? <NarrowPanels /> : <WidePanels />}
      <Overlays commands={commands} />
      <PageTitle />
      <Announcer />
      <Suspense>
        <Toasts />
      </Suspense>
      <TooltipHost />
    </div>
  );
}

function WidePanels() {
  const { layout } = useWorkbench();
  const { sidebar, inspector, sidebarOpen, inspectorOpen } = useStore(layout);
  const inspected = useInspected();
  return (
    <div className="flex min-h-0 flex-1">
      {sidebarOpen && (
        <Side width={sidebar}>
          <Sidebar />
        </Side>
      )}
      <main className="flex min-w-0 flex-1">
        {sidebarOpen && (
          <PanelHandle
            label="Width of the list of sessions"
            side="right"
            size={sidebar}
            {...PANEL_LIMITS.sidebar}
            onResize={(width) => layout.resize('sidebar', width)}
            onToggle={() => layout.show('sidebar', false)}
          />
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          <TabBar />
          <Content />
        </div>
        {inspectorOpen && inspected !== null && (
          <PanelHandle
            label="Width of the changes"
            side="left"
            size={inspector}
            {...PANEL_LIMITS.inspector}
            onResize={(width) => layout.resize('inspector', width)}
            onToggle={() => layout.show('inspector', false)}
          />
        )}
      </main>
      {inspectorOpen && inspected !== null && (
        <Side width={inspector}>
          <Suspense fallback={<Skeleton label="Changes are loading" className="p-3" />}>
            <Inspector key={inspected} strand={inspected} />
          </Suspense>
        </Side>
      )}
    </div>
  );
}

/** The session on the screen, when there is one to show changes of. */
function useInspected(): StrandId | null {
  const route = useRoute();
  const strand = route.kind === 'session' ? route.strand : null;
  return useWorld((world) => (strand !== null && world.strands.has(strand) ? strand : null));
}

function Side({ width, children }: { readonly width: number; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-0 shrink-0 flex-col" style={{ width: `min(${width}px, 45vw)` }}>
      {children}
    </div>
  );
}

/** List, session, inspector: three pages with a way back. */
function NarrowPanels() {
  const { ui } = useWorkbench();
  const page = useStore(ui.narrow);
  const inspected = useInspected();
  if (page === 'list') {
    return (
      <main className="flex min-h-0 flex-1 flex-col">
        <h1 className="sr-only">Sessions</h1>
        <Sidebar />
      </main>
    );
  }
  if (page === 'inspector' && inspected !== null) {
    return (
      <Suspense>
        <InspectorPage strand={inspected} />
      </Suspense>
    );
  }
  return (
    <main className="flex min-h-0 flex-1 flex-col">
      <TabBar />
      <Content />
    </main>
  );
}

/** Tabs and drafts are sent before the window goes. */
function useFlushOnLeave(): void {
  const { page } = useWorkbench();
  useEffect(() => {
    const onHide = () => {
      if (document.visibilityState === 'hidden') page.flush();
    };
    document.addEventListener('visibilitychange', onHide);
    return () => document.removeEventListener('visibilitychange', onHide);
  }, [page]);
}

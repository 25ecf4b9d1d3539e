import { Button } from '@skein/ui/primitives/button';
import { EmptyState } from '@skein/ui/primitives/empty-state';
import { lazyPart } from '@skein/ui/primitives/lazy-part.ts';
import { Skeleton } from '@skein/ui/primitives/skeleton';
import { type ReactNode, Suspense, useEffect } from 'react';
import { useRoute, useWorld } from '../../state/hooks.ts';
import { useStore } from '../../state/store.ts';
import { useWorkbench } from '../../state/workbench.ts';
import { SessionScreen } from '../session/session-screen.tsx';

const NewSessionScreen = lazyPart(
  async () => (await import('../new-session/new-session-screen.tsx')).NewSessionScreen,
);
const HistoryScreen = lazyPart(async () => (await import('../history/history-screen.tsx')).HistoryScreen);
const SearchScreen = lazyPart(async () => (await import('../search/search-screen.tsx')).SearchScreen);
const SettingsScreen = lazyPart(async () => (await import('../settings/settings-screen.tsx')).SettingsScreen);
const DoctorScreen = lazyPart(async () => (await import('../settings/doctor-screen.tsx')).DoctorScreen);

/** What the address names. */
export function Content() {
  const route = useRoute();
  switch (route.kind) {
    case 'home':
      return <Home />;
    case 'session':
      return <SessionScreen key={route.strand} strand={route.strand} />;
    case 'new':
      return (
        <Later>
          <NewSessionScreen key={route.cwd} cwd={route.cwd} />
        </Later>
      );
    case 'history':
      return (
        <Later>
          <HistoryScreen />
        </Later>
      );
    case 'search':
      return (
        <Later>
          <SearchScreen />
        </Later>
      );
    case 'settings':
      return (
        <Later>
          <SettingsScreen />
        </Later>
      );
    case 'doctor':
      return (
        <Later>
          <DoctorScreen />
        </Later>
      );
    case 'unknown':
      return <NotFound />;
  }
}

function Later({ children }: { readonly children: ReactNode }) {
  return (
    <Suspense fallback={<Skeleton label="Loading" className="mx-auto mt-12 w-full max-w-2xl px-6" />}>
      {children}
    </Suspense>
  );
}

/** The address names nothing: the tab that was shown last, else a new session. */
function Home() {
  const { router, page, local } = useWorkbench();
  const tabs = useStore(page.tabs);
  const isReady = useWorld((world) => world.ready);
  useEffect(() => {
    if (!isReady || tabs === null) return;
    const last = local.read('last');
    const strand = tabs.open.find((id) => id === last) ?? tabs.open[0];
    if (strand === undefined) router.go({ kind: 'new', cwd: null }, 'replace');
    else router.go({ kind: 'session', strand, turn: null }, 'replace');
  }, [isReady, tabs, local, router]);
  return <Skeleton label="Loading" className="mx-auto mt-12 w-full max-w-2xl px-6" />;
}

function NotFound() {
  const { router } = useWorkbench();
  return (
    <EmptyState
      title="There is nothing at this address"
      text="It names neither a session nor a page of Skein."
      action={<Button onClick={() => router.go({ kind: 'new', cwd: null })}>New session</Button>}
    />
  );
}

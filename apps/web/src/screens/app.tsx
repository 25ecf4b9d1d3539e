'use client';
/** The root: nothing before the page runs, then pairing, then the workbench. */
import { lazyPart } from '@skein/ui/primitives/lazy-part.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { takeCode } from '../state/early.ts';
import { createLocalStore, type LocalStore } from '../state/local.ts';
import { createSessionStore, type SessionStore } from '../state/session.ts';
import { useStore } from '../state/store.ts';
import { createWorkbench, type Workbench, WorkbenchContext } from '../state/workbench.ts';
import { Shell } from './shell/shell.tsx';
import { ShellSkeleton } from './shell/shell-skeleton.tsx';

const UnpairedScreen = lazyPart(async () => (await import('./unpaired-screen.tsx')).UnpairedScreen);

interface Root {
  readonly local: LocalStore;
  readonly session: SessionStore;
}

const nothing = () => () => undefined;

export function App() {
  const isRunning = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
  return isRunning ? <Running /> : <ShellSkeleton />;
}

function Running() {
  const [{ local, session }] = useState(createRoot);
  useEffect(() => watchPairing(session), [session]);
  const now = useStore(session);
  switch (now.kind) {
    case 'starting':
    case 'pairing':
      return <ShellSkeleton />;
    case 'unpaired':
      return (
        <Suspense fallback={<ShellSkeleton />}>
          <UnpairedScreen why={now.why} message={now.message} onPair={session.pair} />
        </Suspense>
      );
    case 'paired':
      return <Paired key={now.key} browserKey={now.key} local={local} onUnauthorized={session.forget} />;
  }
}

interface PairedProps {
  readonly browserKey: string;
  readonly local: LocalStore;
  readonly onUnauthorized: (key: string) => Promise<void>;
}

function Paired({ browserKey, local, onUnauthorized }: PairedProps) {
  const [workbench, setWorkbench] = useState<Workbench | null>(null);
  useEffect(() => {
    const made = createWorkbench({
      key: browserKey,
      local,
      onUnauthorized: () => {
        onUnauthorized(browserKey).catch(reportError);
      },
    });
    setWorkbench(made);
    return () => made.close();
  }, [browserKey, local, onUnauthorized]);
  if (workbench === null) return <ShellSkeleton />;
  return (
    <QueryClientProvider client={workbench.bridge.queries}>
      <WorkbenchContext value={workbench}>
        <Shell />
      </WorkbenchContext>
    </QueryClientProvider>
  );
}

function createRoot(): Root {
  const local = createLocalStore(() => window.localStorage);
  return { local, session: createSessionStore(local, navigator.userAgent) };
}

/** A link opened in this very tab, or a key that another tab just got. */
function watchPairing(session: SessionStore): () => void {
  const start = () => {
    session.start(takeCode(() => window.sessionStorage)).catch(reportError);
  };
  const onHash = () => {
    const code = /^#code=([\w-]+)$/.exec(window.location.hash)?.[1];
    if (code === undefined) return;
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
    if (session.get().kind === 'unpaired') session.pair(code).catch(reportError);
  };
  const onStorage = (event: StorageEvent) => {
    if (event.key === 'skein.key' && event.newValue !== null && session.get().kind === 'unpaired') start();
  };
  start();
  window.addEventListener('hashchange', onHash);
  window.addEventListener('storage', onStorage);
  return () => {
    window.removeEventListener('hashchange', onHash);
    window.removeEventListener('storage', onStorage);
  };
}

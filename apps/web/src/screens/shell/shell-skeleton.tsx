import { Skeleton } from '@skein/ui/primitives/skeleton';

/** The page before it runs: the panels where they will be. */
export function ShellSkeleton() {
  return (
    <div className="flex h-dvh" aria-busy="true">
      <div className="hidden w-66 shrink-0 border-line border-r bg-sunken p-3 md:block">
        <Skeleton label="Sessions are loading" rows={8} />
      </div>
      <main className="flex min-w-0 flex-1 flex-col">
        <div className="h-9 border-line border-b bg-sunken" />
        <Skeleton label="Skein is starting" rows={5} className="mx-auto mt-12 w-full max-w-2xl px-6" />
      </main>
    </div>
  );
}

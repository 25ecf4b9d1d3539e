import { EmptyState } from '@skein/ui/primitives/empty-state';

export default function NotFound() {
  return (
    <main className="grid h-dvh place-items-center">
      <EmptyState
        title="There is nothing at this address"
        text="Sessions are named in the address after the question mark."
        action={
          <a className="text-accent-text underline" href="/">
            Open Skein
          </a>
        }
      />
    </main>
  );
}

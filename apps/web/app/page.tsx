import { Button } from '@skein/ui/primitives/button';

export default function Page() {
  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col items-start justify-center gap-4 p-8">
      <h1 className="font-semibold text-2xl">Skein</h1>
      <Button>New session</Button>
    </main>
  );
}

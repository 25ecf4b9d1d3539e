'use client';
/** A fault of the page itself: what is written into the log or the files is not touched by it. */
import { Button } from '@skein/ui/primitives/button';
import { ErrorBox } from '@skein/ui/primitives/error-box';

export default function PageFailed({ error }: { readonly error: Error }) {
  return (
    <main className="grid h-dvh place-items-center bg-bg px-4">
      <h1 className="sr-only">Skein</h1>
      <div className="w-full max-w-lg">
        <ErrorBox
          happened="This page broke."
          kept="Your sessions, files and drafts are kept by the bridge, and running turns go on."
          next="Load the page again to go on where you were."
          details={`${error.name}: ${error.message}\n${error.stack ?? ''}`}
          actions={
            <Button size="sm" variant="ghost" onClick={() => location.reload()}>
              Load again
            </Button>
          }
        />
      </div>
    </main>
  );
}

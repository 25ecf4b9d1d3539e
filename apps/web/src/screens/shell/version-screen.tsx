import { PROTOCOL_VERSION } from '@skein/core/protocol/version';
import { Button } from '@skein/ui/primitives/button';
import { ErrorBox } from '@skein/ui/primitives/error-box';

/** The page and the bridge do not understand each other, and a reload did not help. */
export function VersionScreen({ bridge }: { readonly bridge: number }) {
  const details = `page protocol ${PROTOCOL_VERSION}, bridge protocol ${bridge}`;
  return (
    <main className="grid h-dvh place-items-center p-6">
      <div className="w-full max-w-lg">
        <ErrorBox
          happened="This page and the bridge are of different versions."
          kept="Your sessions are untouched, and turns that run go on."
          next={'Restart the bridge ("skein stop", then "skein up") and reload the page.'}
          details={details}
          actions={
            <Button size="sm" onClick={() => location.reload()}>
              Reload
            </Button>
          }
        />
      </div>
    </main>
  );
}

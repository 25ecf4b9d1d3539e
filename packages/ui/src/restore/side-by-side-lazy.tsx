/** Loaded when the first conflict is shown. */

import { Suspense } from 'react';
import { lazyPart } from '../primitives/lazy-part.ts';
import { Skeleton } from '../primitives/skeleton.tsx';
import type { SideBySideProps } from './side-by-side.tsx';

const Loaded = lazyPart(async () => (await import('./side-by-side.tsx')).SideBySide);

export function LazySideBySide(props: SideBySideProps) {
  return (
    <Suspense fallback={<Skeleton label="Loading both versions" rows={3} className="p-3" />}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** Loaded when the first conflict is shown. */

import { Suspense } from 'react';
import { lazyPart } from '../primitives/lazy-part.ts';
import { Skeleton } from '../primitives/skeleton.tsx';
import type { ThreeWaysProps } from './three-ways.tsx';

const Loaded = lazyPart(async () => (await import('./three-ways.tsx')).ThreeWays);

export function LazyThreeWays(props: ThreeWaysProps) {
  return (
    <Suspense fallback={<Skeleton label="Loading the versions" rows={3} className="p-3" />}>
      <Loaded {...props} />
    </Suspense>
  );
}

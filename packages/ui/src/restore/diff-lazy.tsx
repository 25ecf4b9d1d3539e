/** The diff view is not needed for the first paint: it is loaded when a diff is first opened. */

import { Suspense } from 'react';
import { lazyPart } from '../primitives/lazy-part.ts';
import { Skeleton } from '../primitives/skeleton.tsx';
import type { DiffViewProps } from './diff-view.tsx';

const Loaded = lazyPart(async () => (await import('./diff-view.tsx')).DiffView);

export function LazyDiff(props: DiffViewProps) {
  return (
    <Suspense fallback={<Skeleton label="Loading the changes" rows={2} className="p-3" />}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** The diff view is not needed for the first paint: it is loaded when a diff is first opened. */
import { lazy, Suspense } from 'react';
import { Skeleton } from '../primitives/skeleton.tsx';
import type { DiffViewProps } from './diff-view.tsx';

const Loaded = lazy(() => import('./diff-view.tsx').then(({ DiffView }) => ({ default: DiffView })));

export function LazyDiff(props: DiffViewProps) {
  return (
    <Suspense fallback={<Skeleton label="Loading the changes" rows={2} className="p-3" />}>
      <Loaded {...props} />
    </Suspense>
  );
}

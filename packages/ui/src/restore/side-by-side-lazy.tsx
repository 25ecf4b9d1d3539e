/** Loaded when the first conflict is shown. */
import { lazy, Suspense } from 'react';
import { Skeleton } from '../primitives/skeleton.tsx';
import type { SideBySideProps } from './side-by-side.tsx';

const Loaded = lazy(() => import('./side-by-side.tsx').then(({ SideBySide }) => ({ default: SideBySide })));

export function LazySideBySide(props: SideBySideProps) {
  return (
    <Suspense fallback={<Skeleton label="Loading both versions" rows={3} className="p-3" />}>
      <Loaded {...props} />
    </Suspense>
  );
}

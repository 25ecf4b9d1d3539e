/** The tree store as the snapshot store needs it; null where there is none (no git), with the reason in words. */
import type { TreeStore } from './trees/open-tree-store.ts';

export type TreeAccess =
  | {
      readonly kind: 'trees';
      readonly store: Pick<TreeStore, 'open' | 'read' | 'forget' | 'releaseTurns' | 'gcStore'>;
    }
  | { readonly kind: 'none'; readonly reason: string };

/** Deletes saved versions at once, all or one store's: nothing of them can be undone afterwards. Faults: `busy`, `not_found`. */
import type { StoreCleanup } from '@skein/core/protocol/store';
import type { Upkeep } from '../snapshots/upkeep/upkeep.ts';

export const createPurgeStore =
  (deps: { readonly upkeep: Pick<Upkeep, 'purge'> }) =>
  ({ key }: { readonly key?: string | undefined }): Promise<StoreCleanup> =>
    deps.upkeep.purge(key);

/** What the snapshots cost on disk. */
import type { StoreUsage } from '@skein/core/protocol/store';
import type { Upkeep } from '../snapshots/upkeep/upkeep.ts';

export const createStoreUsage =
  (deps: { readonly upkeep: Pick<Upkeep, 'usage'> }) => (): Promise<StoreUsage> =>
    deps.upkeep.usage();

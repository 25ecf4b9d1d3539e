/** What saved versions cost on disk, store by store. */
import type { StoreUsage } from '@skein/core/protocol/store';
import type { Upkeep } from '../snapshots/upkeep/types.ts';

export interface StoreUsageDeps {
  readonly upkeep: Pick<Upkeep, 'usage'>;
}

/** Fault `io`. */
export const createStoreUsage = (deps: StoreUsageDeps) => async (): Promise<StoreUsage> =>
  deps.upkeep.usage();

/** Gives back what retention and limits allow, as the bridge does by itself every hour. */
import type { StoreCleanup } from '@skein/core/protocol/store';
import type { Upkeep } from '../snapshots/upkeep/types.ts';

export interface CleanStoreDeps {
  readonly upkeep: Pick<Upkeep, 'run'>;
}

/** Faults: `busy` (another upkeep runs), `io`. */
export const createCleanStore = (deps: CleanStoreDeps) => async (): Promise<StoreCleanup> =>
  deps.upkeep.run();

/** Gives back what retention no longer keeps. Faults: `busy`, `io`. */
import type { StoreCleanup } from '@skein/core/protocol/store';
import type { Upkeep } from '../snapshots/upkeep/upkeep.ts';

export const createCleanStore =
  (deps: { readonly upkeep: Pick<Upkeep, 'clean'> }) => (): Promise<StoreCleanup> =>
    deps.upkeep.clean();

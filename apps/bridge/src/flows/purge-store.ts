/** Removes saved versions for good, of one store or all, except what sessions in use need. */
import type { StoreCleanup } from '@skein/core/protocol/store';
import type { Upkeep } from '../snapshots/upkeep/types.ts';

export interface PurgeStoreDeps {
  readonly upkeep: Pick<Upkeep, 'purge'>;
}

/** Faults: `busy` (another upkeep runs), `not_found` (no such store), `io`. */
export const createPurgeStore =
  (deps: PurgeStoreDeps) =>
  async ({ key }: { readonly key?: string | undefined }): Promise<StoreCleanup> =>
    deps.upkeep.purge({ key });

/** Every undo and redo that was carried out in a session, newest first. */
import type { Operation } from '@skein/core/protocol/restore';
import type { StrandId } from '@skein/core/record/ids';
import { operationsOf } from '@skein/core/restore/operations';
import type { StrandState } from '@skein/core/strand/replay';

export interface ListOperationsDeps {
  readonly state: (strand: StrandId) => Promise<StrandState>;
}

export const createListOperations =
  (deps: ListOperationsDeps) =>
  async ({ strand }: { readonly strand: StrandId }): Promise<{ operations: Operation[] }> => ({
    operations: [...operationsOf(await deps.state(strand))],
  });

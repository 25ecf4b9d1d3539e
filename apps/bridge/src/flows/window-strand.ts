/** Opens a session at its end, or the stretch before one that is shown; a 500 MB file is never read whole. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandSummary, StrandWindow } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import type { StrandStore } from '../strands/types.ts';

const MAX_RECORDS = 3000;
const MAX_BYTES = 8 * 1024 * 1024;

export interface WindowStrandDeps {
  readonly store: Pick<StrandStore, 'window' | 'locate'>;
  readonly summary: (strand: StrandId) => Promise<StrandSummary>;
}

export const createWindowStrand =
  (deps: WindowStrandDeps) =>
  async (input: { strand: StrandId; before?: number | undefined; turns: number }): Promise<StrandWindow> => {
    if ((await deps.store.locate(input.strand)) === null)
      throw new BridgeError('not_found', 'There is no such session.', { data: { strand: input.strand } });
    const options = { turns: input.turns, maxRecords: MAX_RECORDS, maxBytes: MAX_BYTES };
    const found = await deps.store.window(
      input.strand,
      input.before === undefined ? options : { ...options, before: input.before },
    );
    const summary = await deps.summary(input.strand);
    return { items: [...found.items], before: found.before, cursor: found.cursor, tip: found.tip, summary };
  };

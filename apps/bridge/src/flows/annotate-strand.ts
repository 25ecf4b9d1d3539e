/** Small facts about a session, each one appended record: its name, flags and settings. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import type { RecordBody } from '@skein/core/record/schema';
import { isValidName, NAME_RULE } from '@skein/core/strand/selector';
import type { EventHub } from '../events/types.ts';
import type { WriterPool } from '../strands/writer-pool.ts';

export interface AnnotateStrandDeps {
  readonly pool: Pick<WriterPool, 'use'>;
  readonly hub: Pick<EventHub, 'strandGrew'>;
  readonly announce: (strand: StrandId) => void;
  readonly summary: (strand: StrandId) => Promise<StrandSummary>;
}

/** Resolves when the record is on disk. Faults: `held`, `read_only`, `not_found`, `io`. */
export const createAnnotateStrand =
  (deps: AnnotateStrandDeps) =>
  async (strand: StrandId, body: RecordBody): Promise<StrandSummary> => {
    if (body.kind === 'name' && body.name !== '' && !isValidName(body.name))
      throw new BridgeError('invalid_input', NAME_RULE);
    await deps.pool.use(strand, (writer) => writer.append([body], { durable: true }));
    deps.hub.strandGrew(strand);
    deps.announce(strand);
    return deps.summary(strand);
  };

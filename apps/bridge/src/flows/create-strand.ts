/** Starts a new session in a folder; nothing runs yet. */
import { BridgeError } from '@skein/core/protocol/errors';
import type { createInputSchema, StrandSummary } from '@skein/core/protocol/strands';
import type { StrandId } from '@skein/core/record/ids';
import type { RecordBody, RecordOf } from '@skein/core/record/schema';
import { isValidName, NAME_RULE } from '@skein/core/strand/selector';
import type { z } from 'zod';
import type { StrandStore } from '../strands/types.ts';
import type { WriterPool } from '../strands/writer-pool.ts';

type Header = RecordOf<'header'>;

export interface CreateStrandDeps {
  readonly store: Pick<StrandStore, 'create'>;
  readonly pool: Pick<WriterPool, 'adopt'>;
  /** Real path of an existing folder; null when it is none. */
  readonly realFolder: (path: string) => Promise<string | null>;
  readonly repoSnapshot: (cwd: string) => Promise<Header['repo']>;
  readonly versions: Header['versions'];
  readonly knowsAgent: (agent: string) => boolean;
  readonly announce: (strand: StrandId) => void;
  readonly summary: (strand: StrandId) => Promise<StrandSummary>;
}

/** Resolves when the header is on disk. Faults: `not_found` (folder, agent), `invalid_input` (name), `io`. */
export const createCreateStrand =
  (deps: CreateStrandDeps) =>
  async (input: z.infer<typeof createInputSchema>): Promise<StrandSummary> => {
    const cwd = await deps.realFolder(input.cwd);
    if (cwd === null)
      throw new BridgeError('not_found', `${input.cwd} is not a folder that can be opened.`, {
        data: { path: input.cwd },
      });
    if (!deps.knowsAgent(input.agent))
      throw new BridgeError('not_found', `There is no agent called ${input.agent}.`, {
        data: { agent: input.agent },
      });
    if (input.name !== undefined && !isValidName(input.name))
      throw new BridgeError('invalid_input', NAME_RULE);
    const writer = await deps.store.create({
      kind: 'header',
      format: 'skein',
      v: 1,
      cwd,
      versions: deps.versions,
      repo: await deps.repoSnapshot(cwd),
      agent: input.agent,
      origin: null,
    });
    const loan = deps.pool.adopt(writer);
    try {
      const bodies = settingsOf(input);
      if (bodies.length > 0) await writer.append(bodies, { durable: true });
      deps.announce(writer.id);
      return await deps.summary(writer.id);
    } finally {
      loan.release();
    }
  };

const settingsOf = (input: z.infer<typeof createInputSchema>): RecordBody[] => {
  const bodies: RecordBody[] = [];
  if (input.model !== undefined)
    bodies.push({ kind: 'change', setting: 'model', value: input.model, by: 'user' });
  if (input.mode !== undefined)
    bodies.push({ kind: 'change', setting: 'mode', value: input.mode, by: 'user' });
  if (input.name !== undefined) bodies.push({ kind: 'name', name: input.name });
  return bodies;
};

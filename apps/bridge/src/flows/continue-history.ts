/**
 * A session of another agent goes on as a new strand: what was said is copied as its history, so that any driver that
 * reads a strand can go on from there. The other tool's file stays as it is.
 */

import { BridgeError } from '@skein/core/protocol/errors';
import type { historyContinueInputSchema } from '@skein/core/protocol/history';
import type { StrandSummary } from '@skein/core/protocol/strands';
import type { RecordId, StrandId } from '@skein/core/record/ids';
import type { RecordBody, RecordOf, StrandRecord } from '@skein/core/record/schema';
import { pathTo } from '@skein/core/strand/path';
import { isPrompt } from '@skein/core/strand/prompts';
import type { StrandState } from '@skein/core/strand/replay';
import type { z } from 'zod';
import type { StrandStore, StrandWriter } from '../strands/types.ts';
import type { WriterPool } from '../strands/writer-pool.ts';

type Header = RecordOf<'header'>;

export interface ContinueHistoryDeps {
  /** Folded records of the foreign session. Fault `not_found`. */
  readonly foreignState: (session: StrandId) => Promise<StrandState>;
  readonly store: Pick<StrandStore, 'create'>;
  readonly pool: Pick<WriterPool, 'adopt'>;
  readonly realFolder: (path: string) => Promise<string | null>;
  readonly repoSnapshot: (cwd: string) => Promise<Header['repo']>;
  readonly versions: Header['versions'];
  readonly defaultAgent: () => Promise<string>;
  readonly knowsAgent: (agent: string) => boolean;
  readonly announce: (strand: StrandId) => void;
  readonly summary: (strand: StrandId) => Promise<StrandSummary>;
}

type Input = z.infer<typeof historyContinueInputSchema>;

/** Durable when it resolves. Faults: `not_found` (session, record, folder, agent), `unreadable`, `io`. */
export const createContinueHistory =
  (deps: ContinueHistoryDeps) =>
  async (input: Input): Promise<StrandSummary> => {
    const state = await deps.foreignState(input.session);
    const path = pathOf(state, input.at);
    const agent = input.agent ?? (await deps.defaultAgent());
    if (!deps.knowsAgent(agent))
      throw new BridgeError('not_found', `There is no agent called ${agent}.`, { data: { agent } });
    const cwd = await folderOf(deps, input.cwd ?? state.header?.cwd ?? '');
    const writer = await deps.store.create({
      kind: 'header',
      format: 'skein',
      v: 1,
      cwd,
      versions: deps.versions,
      repo: await deps.repoSnapshot(cwd),
      agent,
      origin: { strand: input.session, record: path.at(-1)?.id ?? null, via: 'import' },
    });
    const loan = deps.pool.adopt(writer);
    try {
      await copyInto(writer, path, settingsOf(input));
      deps.announce(writer.id);
      return await deps.summary(writer.id);
    } finally {
      loan.release();
    }
  };

const pathOf = (state: StrandState, at: RecordId | undefined): readonly StrandRecord[] => {
  if (at !== undefined && !state.nodes.has(at))
    throw new BridgeError('not_found', 'There is no such record in this session.', { data: { record: at } });
  const path = pathTo(state, at ?? state.tip);
  if (path.length === 0)
    throw new BridgeError('unreadable', 'This session holds no record that can be read.');
  return path;
};

const folderOf = async (deps: ContinueHistoryDeps, wanted: string): Promise<string> => {
  const cwd = wanted === '' ? null : await deps.realFolder(wanted);
  if (cwd !== null) return cwd;
  const what = wanted === '' ? 'The session does not say its folder' : `${wanted} is not there any more`;
  throw new BridgeError('not_found', `${what}; name the folder to go on in.`, { data: { path: wanted } });
};

const BATCH = 200;
const NO_VERSIONS = {
  level: 'none' as const,
  reasons: ['The turn ran in another tool; no versions were kept.'],
};

/** Ids are new; a digest's kept tail and every turn are named by them. The other agent's settings are not taken over. */
const copyInto = async (
  writer: StrandWriter,
  path: readonly StrandRecord[],
  settings: readonly RecordBody[],
): Promise<void> => {
  const ids = new Map<RecordId, RecordId>();
  const prompts: RecordId[] = [];
  for (const batch of batchesOf(path.filter((record) => isCopied(record)))) {
    const written = await writer.append(batch.map((record) => bodyOf(record, ids)));
    for (const [index, record] of written.entries()) {
      const from = batch[index];
      if (from !== undefined) ids.set(from.id, record.id);
      if (isPrompt(record)) prompts.push(record.id);
    }
  }
  const turns = prompts.map(
    (prompt): RecordBody => ({ kind: 'turn', prompt, outcome: 'done', files: [], coverage: NO_VERSIONS }),
  );
  await writer.append([...turns, ...settings], { durable: true });
};

/** A digest starts one: what it keeps must have its new id by then. */
const batchesOf = (records: readonly StrandRecord[]): readonly (readonly StrandRecord[])[] => {
  const batches: StrandRecord[][] = [];
  for (const record of records) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= BATCH || record.kind === 'digest') batches.push([record]);
    else last.push(record);
  }
  return batches;
};

const isCopied = ({ kind }: StrandRecord): boolean =>
  kind === 'message' || kind === 'digest' || kind === 'boundary' || kind === 'custom';

/** Without what was spent: that was paid elsewhere. */
const bodyOf = (record: StrandRecord, ids: ReadonlyMap<RecordId, RecordId>): RecordBody => {
  const { id: _id, parent: _parent, at: _at, ...body } = record;
  if (body.kind === 'message') {
    const { usage: _usage, cost: _cost, ...said } = body;
    return said;
  }
  if (body.kind !== 'digest' || body.keepFrom === null) return body;
  return { ...body, keepFrom: ids.get(body.keepFrom) ?? null };
};

const settingsOf = ({ model, mode }: Input): RecordBody[] => {
  const bodies: RecordBody[] = [];
  if (model !== undefined) bodies.push({ kind: 'change', setting: 'model', value: model, by: 'user' });
  if (mode !== undefined) bodies.push({ kind: 'change', setting: 'mode', value: mode, by: 'user' });
  return bodies;
};

/** The thread of the index: reads session files as the history reads them and writes what is found into the index. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { readers } from '@skein/core/import/readers';
import { foreignAgentSchema } from '@skein/core/record/foreign-agent';
import { type Checkpoint, endOf, type ReadBatch, startReading } from '../history/read-session.ts';
import { openDatabase } from '../index/database.ts';
import { find } from '../index/find.ts';
import type { Request, Told } from '../index/messages.ts';
import type { IndexedFile, SyncReport } from '../index/ports.ts';
import { createIndexWriter } from '../index/put-records.ts';

const { databaseFile } = workerData as { readonly databaseFile: string };
const tell = (told: Told): void => parentPort?.postMessage(told);
const database = openDatabase(databaseFile, (text) => tell({ kind: 'notice', text }));
const writer = createIndexWriter(database);

/** Where reading was left, so that a file that grew is read on; of the files that changed last. */
const checkpoints = new Map<string, Checkpoint>();
const MAX_CHECKPOINTS = 64;

const readFile = async (file: IndexedFile): Promise<void> => {
  const agent = foreignAgentSchema.safeParse(file.agent).data ?? 'skein';
  const reader = readers.get(agent);
  if (reader === undefined) return;
  const start = await startReading(reader, file.path, { from: checkpoints.get(file.path) ?? null });
  checkpoints.delete(file.path);
  if (start.kind === 'gone') {
    writer.remove(file.path);
    return;
  }
  const into = writer.begin(file, start.fresh);
  let last: ReadBatch | null = null;
  for await (const batch of start.batches) {
    into.add(batch.emitted);
    last = batch;
    // Searches that came meanwhile are answered between two batches.
    await nextTurn();
  }
  if (last === null) return;
  into.add(endOf(reader, last));
  checkpoints.set(file.path, last.checkpoint);
  for (const oldest of checkpoints.keys()) if (checkpoints.size > MAX_CHECKPOINTS) checkpoints.delete(oldest);
  writer.finish(file);
};

const sync = async (files: readonly IndexedFile[]): Promise<SyncReport> => {
  const known = writer.known();
  const wanted = new Set(files.map(({ path }) => path));
  const gone = [...known.keys()].filter((path) => !wanted.has(path));
  for (const path of gone) writer.remove(path);
  const changed = files.filter(({ path, key }) => known.get(path) !== key);
  const notices: string[] = [];
  for (const [done, file] of changed.entries()) {
    tell({ kind: 'progress', progress: { done, total: changed.length } });
    try {
      await readFile(file);
    } catch (error) {
      // One file that cannot be read keeps no other from being found.
      notices.push(`${error instanceof Error ? error.message : String(error)} (${file.path})`);
    }
  }
  return { read: changed.length, removed: gone.length, notices };
};

let tail: Promise<unknown> = Promise.resolve();

const answer = async ({ id, asked }: Request): Promise<void> => {
  try {
    const value = asked.kind === 'sync' ? await sync(asked.files) : find(database, asked);
    tell({ kind: 'answer', id, value });
  } catch (error) {
    tell({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
};

parentPort?.on('message', (request: Request) => {
  // One sync after the other; a search waits for none.
  if (request.asked.kind === 'sync') tail = tail.then(() => answer(request));
  else answer(request).catch((error: unknown) => tell({ kind: 'notice', text: String(error) }));
});

// What is sent while something else ends: nothing waits for ever, nothing runs twice. Real queue files.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import type { PromptInput } from '@skein/core/protocol/turns';
import { strandIdSchema, type TurnId } from '@skein/core/record/ids';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRunningTurns, type RunningTurns } from '../agents/running-turns.ts';
import { newName, newRecordId } from '../platform/ids.ts';
import { openQueues, type QueueStore } from '../settings/queues.ts';
import { createDrainQueue, type DrainQueue } from './drain-queue.ts';
import { createSendPrompt } from './send-prompt.ts';

const A = strandIdSchema.parse('aaaaaaaaaaaa');

let dir: string;
let queues: QueueStore;
let running: RunningTurns;
let drain: DrainQueue;
let started: string[];
let faults: unknown[];
/** Ends what runs in the session now. */
let end: () => void;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'skein-send-'));
  queues = await openQueues({ dir, nowIso: () => new Date().toISOString(), newName });
  running = createRunningTurns();
  started = [];
  faults = [];
  drain = createDrainQueue({
    first: queues.first,
    isStopping: () => false,
    remove: async (strand, id) => void (await queues.edit(strand, id, null)),
    runTurn: async ({ text }) => hold(text, newRecordId()),
    reportFault: (_, error) => faults.push(error),
  });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A turn, or with null a restore, that lasts until `end()`. */
const hold = (text: string, turn: TurnId | null): { turn: TurnId } => {
  const begun = running.begin(A);
  if (begun === null) throw new BridgeError('busy', 'A turn is running in this session.');
  begun.running.turn = turn;
  if (turn !== null) started.push(text);
  end = begun.finish;
  return { turn: turn ?? newRecordId() };
};

const input = (text: string): PromptInput => ({
  strand: A,
  text,
  images: [],
  mentions: [],
  when: 'queue',
  by: 'user',
  interactive: true,
});

/** `saving` runs while the entry is on its way to the disk. */
const send = (text: string, saving: () => void = () => undefined) =>
  createSendPrompt({
    running,
    async enqueue(strand, prompt) {
      const adding = queues.add(strand, prompt);
      saving();
      return adding;
    },
    startQueued: drain.start,
    runTurn: async ({ text: said }) => hold(said, newRecordId()),
  })(input(text));

const waiting = async () => (await queues.list(A)).map(({ text }) => text);
const settle = () => new Promise((done) => setTimeout(done, 100));

test('a prompt that was being queued when the turn ended starts by itself', async () => {
  hold('first', newRecordId());
  expect(
    await send('late', () => {
      end();
      void drain.afterTurn(A, 'done');
    }),
  ).toMatchObject({ kind: 'queued' });
  await settle();
  expect(started).toEqual(['first', 'late']);
  expect(await waiting()).toEqual([]);
});

test('a prompt that was queued during a restore starts when it ends', async () => {
  hold('', null);
  await send('after');
  await settle();
  expect(await waiting()).toEqual(['after']);
  end();
  await settle();
  expect(started).toEqual(['after']);
  expect(await waiting()).toEqual([]);
});

test('what waits since an interrupt is not started by the end of a restore', async () => {
  await queues.add(A, { text: 'old', kind: 'queue' });
  hold('', null);
  await send('new');
  end();
  await settle();
  expect(started).toEqual([]);
  expect(await waiting()).toEqual(['old', 'new']);
});

test('a prompt that was queued before an interrupted turn was on disk waits', async () => {
  const begun = running.begin(A);
  await send('next');
  if (begun !== null) begun.running.turn = newRecordId();
  begun?.finish();
  void drain.afterTurn(A, 'aborted');
  await settle();
  expect(started).toEqual([]);
  expect(await waiting()).toEqual(['next']);
});

test('a user who is faster than the queue is no fault; the entry waits for the next end', async () => {
  await queues.add(A, { text: 'queued', kind: 'queue' });
  const draining = drain.afterTurn(A, 'done');
  hold('faster', newRecordId());
  await draining;
  expect(faults).toEqual([]);
  expect(await waiting()).toEqual(['queued']);
  end();
  await drain.afterTurn(A, 'done');
  expect(started).toEqual(['faster', 'queued']);
});

test('a queued turn that ends before its prompt has left the queue is not run again', async () => {
  await queues.add(A, { text: 'once', kind: 'queue' });
  await queues.add(A, { text: 'then', kind: 'queue' });
  const first = drain.afterTurn(A, 'done');
  await Promise.resolve();
  while (started.length === 0) await Promise.resolve();
  end();
  await Promise.all([first, drain.afterTurn(A, 'done')]);
  expect(started).toEqual(['once', 'then']);
});

test('a prompt that cannot start is reported and waits', async () => {
  await queues.add(A, { text: 'queued', kind: 'queue' });
  const failing = createDrainQueue({
    first: queues.first,
    isStopping: () => false,
    remove: async () => undefined,
    runTurn: () => Promise.reject(new BridgeError('held', 'Another process has it.')),
    reportFault: (_, error) => faults.push(error),
  });
  await failing.afterTurn(A, 'done');
  expect(faults).toMatchObject([{ code: 'held' }]);
});

import { BridgeError } from '@skein/core/protocol/errors';
import type { Job } from '@skein/core/protocol/events';
import { expect, test } from 'vitest';
import { createJobs } from './jobs.ts';

const setUp = () => {
  const published: Job[] = [];
  const jobs = createJobs({ newId: () => `${published.length}`, publish: (job) => published.push(job) });
  return { jobs, published };
};
const WHAT = { kind: 'import', title: 'Import' };

test('a job shows its progress and its result', async () => {
  const { jobs, published } = setUp();
  const { finished } = jobs.start(WHAT, async ({ progress }) => {
    progress(1, 2);
    return { sessions: 2 };
  });
  expect(await finished).toMatchObject({ state: 'done', done: 1, total: 2, result: { sessions: 2 } });
  expect(published.map((job) => job.state)).toEqual(['running', 'running', 'done']);
  expect(jobs.list()).toHaveLength(1);
});

test('a failed job says why, in words for a person only', async () => {
  const { jobs } = setUp();
  const known = jobs.start(WHAT, () => Promise.reject(new BridgeError('io', 'The disk is full.')));
  const unknown = jobs.start(WHAT, () => Promise.reject(new TypeError('secret detail')));
  expect(await known.finished).toMatchObject({ state: 'failed', error: 'The disk is full.' });
  expect((await unknown.finished).error).not.toContain('secret');
});

test('a cancelled job stops through its signal and cannot be cancelled twice', async () => {
  const { jobs } = setUp();
  const { job, finished } = jobs.start(
    WHAT,
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  expect(jobs.cancel(job.id)).toBe(true);
  expect(await finished).toMatchObject({ state: 'cancelled', error: null });
  expect(jobs.cancel(job.id)).toBe(false);
  expect(jobs.cancel('none')).toBe(false);
});

test('closing waits for every job, and old finished ones are forgotten', async () => {
  const { jobs } = setUp();
  const waits = jobs.start(
    WHAT,
    ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
  );
  for (let count = 0; count < 80; count += 1) await jobs.start(WHAT, async () => null).finished;
  expect(jobs.list().length).toBeLessThanOrEqual(51);
  await jobs.close();
  expect(await waits.finished).toMatchObject({ state: 'cancelled' });
});

import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import type { StrandId } from '@skein/core/record/ids';
import { expect, test } from 'vitest';
import { HEADER, openStore, prompt, tempDir } from '../../test/strands-kit.ts';
import { leasePath } from './data-dir.ts';
import { createWriterPool } from './writer-pool.ts';

const IDLE_MS = 20;

const openPool = async (root: string) => {
  const opened = await openStore(root);
  const { promise: told, resolve } = Promise.withResolvers<unknown>();
  const settle = { onFault: (_error: unknown): void => undefined };
  const pool = createWriterPool({
    store: opened.store,
    repair: async () => undefined,
    idleMs: IDLE_MS,
    onFault: (_id, error) => {
      settle.onFault(error);
      resolve(error);
    },
  });
  const make = async (): Promise<StrandId> => {
    const writer = await opened.store.create(HEADER);
    await writer.close();
    return writer.id;
  };
  const lease = (id: StrandId): string => leasePath(opened.dirs, id);
  /** A folder in its place: the lease cannot be read, so that giving it back fails. */
  const spoilLease = (id: StrandId): void => {
    rmSync(lease(id));
    mkdirSync(lease(id));
  };
  return {
    pool,
    told,
    settle,
    make,
    lease,
    spoilLease,
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
};

test('who borrows a session while its idle writer closes waits for it', async () => {
  using dir = tempDir();
  await using opened = await openPool(dir.path);
  const { pool } = opened;
  const id = await opened.make();
  await pool.use(id, (writer) => writer.append([prompt('one')]));
  const discarded = pool.discard(id);
  const loans = await Promise.all([pool.borrow(id), pool.borrow(id)]);
  expect(loans[0].writer).toBe(loans[1].writer);
  expect(await loans[0].writer.append([prompt('two')])).toHaveLength(1);
  for (const { release } of loans) release();
  await discarded;
  await pool.close();
  expect(existsSync(opened.lease(id))).toBe(false);
});

test('an idle writer that cannot be closed well is told of, and the one that was opened since stays', async () => {
  using dir = tempDir();
  await using opened = await openPool(dir.path);
  const { pool, settle } = opened;
  const id = await opened.make();
  await pool.use(id, (writer) => writer.append([prompt('one')]));
  opened.spoilLease(id);
  let second: ReturnType<typeof pool.borrow> | undefined;
  settle.onFault = () => {
    rmdirSync(opened.lease(id));
    second = pool.borrow(id);
  };
  expect(await opened.told).toMatchObject({ code: 'io' });
  const loan = await second;
  await new Promise((done) => setTimeout(done, 10));
  expect(pool.peek(id)).toBe(loan?.writer);
  await pool.close();
  expect(existsSync(opened.lease(id))).toBe(false);
});

test('a writer that lost its lease is opened anew for the next one who asks, at once', async () => {
  using dir = tempDir();
  await using opened = await openPool(dir.path);
  const { pool } = opened;
  const id = await opened.make();
  const append = () => pool.use(id, (writer) => writer.append([prompt('x')]));
  await append();
  rmSync(opened.lease(id));
  await expect(append()).rejects.toMatchObject({ code: 'held' });
  expect(await append()).toHaveLength(1);
  // The same while somebody still has the broken one.
  const kept = await pool.borrow(id);
  rmSync(opened.lease(id));
  await expect(kept.writer.append([prompt('x')])).rejects.toMatchObject({ code: 'held' });
  expect(await append()).toHaveLength(1);
  await expect(kept.writer.append([prompt('x')])).rejects.toMatchObject({ code: 'held' });
  kept.release();
  expect(await append()).toHaveLength(1);
  await pool.close();
});

test('closing all closes the others when one fails, and nothing is lent after that', async () => {
  using dir = tempDir();
  await using opened = await openPool(dir.path);
  const { pool } = opened;
  const [one, two] = [await opened.make(), await opened.make()];
  await pool.borrow(one);
  await pool.borrow(two);
  opened.spoilLease(one);
  await expect(pool.close()).rejects.toMatchObject({ code: 'io' });
  expect(existsSync(opened.lease(two))).toBe(false);
  await expect(pool.borrow(two)).rejects.toMatchObject({ code: 'interrupted' });
});

/** Who counts as in use, with real leases: this process, another one, nobody. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../test/strands-kit.ts';
import { createRunningTurns } from '../agents/running-turns.ts';
import { systemClock } from '../platform/clock.ts';
import { readProcessIdentity } from '../platform/host.ts';
import { newName, newRecordId, newStrandId } from '../platform/ids.ts';
import { takeLock } from '../platform/lock.ts';
import { openSnapshotStore } from '../snapshots/store.ts';
import { leasePath, openDataDir } from '../strands/data-dir.ts';
import { createLocator } from '../strands/locate-strand.ts';
import { openUpkeep } from './open-upkeep.ts';

const NO_TREES = { kind: 'none', reason: 'not in this test' } as const;

const setUp = async (path: string) => {
  const data = await openDataDir(join(path, 'data'));
  const root = join(path, 'work');
  mkdirSync(root);
  const strand = newStrandId();
  const identity = readProcessIdentity();
  mkdirSync(join(data.strands, 'work'));
  writeFileSync(join(data.strands, 'work', `20260101-000000_${strand}.jsonl`), '{}\n');
  const snapshots = openSnapshotStore({
    dataDir: data.root,
    process: identity,
    clock: systemClock,
    newRecordId,
    newName,
    trees: NO_TREES,
    onFault: (error) => {
      throw error;
    },
  });
  const turn = newRecordId();
  const gate = await snapshots.openGate({ strand, root, cwd: root, turn, forbidden: [] });
  await gate.write({ call: 'c', path: 'a', bytes: Buffer.from('new') });
  await gate.settle();
  rmSync(join(data.snapshots, 'journals', `${strand}.open`), { force: true });
  const running = createRunningTurns();
  const faults: unknown[] = [];
  const upkeep = openUpkeep({
    data,
    identity,
    running,
    settings: { config: async () => ({ config: { snapshots: { retentionDays: 1e-9 } }, problems: [] }) },
    pool: { peek: () => undefined, use: () => Promise.reject(new Error('no writer is open')) },
    trees: NO_TREES,
    store: { locate: createLocator(data.strands) },
    onFault: (error) => faults.push(error),
  });
  const journal = (): string => readFileSync(join(data.snapshots, 'journals', `${strand}.jsonl`), 'utf8');
  return { data, strand, identity, running, upkeep, faults, journal };
};

test('a lease of a living process keeps the versions of its session; given back, they go', async () => {
  using dir = tempDir();
  const { data, strand, identity, upkeep, journal } = await setUp(dir.path);
  const lease = takeLock(leasePath(data, strand), { process: identity, purpose: 'writing a session' });
  expect(await upkeep.run()).toMatchObject({ expired: 0, inUse: 1 });
  expect(journal()).toContain('"mutation"');
  if (lease.kind === 'locked') lease.lock.release();
  expect(await upkeep.run()).toMatchObject({ expired: 1, inUse: 0 });
  expect(journal()).not.toContain('"mutation"');
});

test('a lease of another machine is nobody’s to judge', async () => {
  using dir = tempDir();
  const { data, strand, identity, upkeep } = await setUp(dir.path);
  takeLock(leasePath(data, strand), { process: { ...identity, host: 'elsewhere' }, purpose: 'a turn' });
  expect(await upkeep.run()).toMatchObject({ expired: 0, inUse: 1 });
});

test('a lease of a dead process protects nothing', async () => {
  using dir = tempDir();
  const { data, strand, identity, upkeep } = await setUp(dir.path);
  takeLock(leasePath(data, strand), { process: { ...identity, pid: 2 ** 22 + 7 }, purpose: 'a turn' });
  expect(await upkeep.run()).toMatchObject({ expired: 1 });
});

test('a turn of this process keeps the versions of its session', async () => {
  using dir = tempDir();
  const { strand, running, upkeep } = await setUp(dir.path);
  const begun = running.begin(strand);
  expect(await upkeep.run()).toMatchObject({ expired: 0, inUse: 1 });
  begun?.finish();
  expect(await upkeep.run()).toMatchObject({ expired: 1 });
});

test('while Skein stops nothing is given up', async () => {
  using dir = tempDir();
  const { running, upkeep, faults } = await setUp(dir.path);
  running.stop();
  expect(await upkeep.run()).toMatchObject({ expired: 0 });
  expect(faults).toEqual([]);
});

test('no prompt starts in a session while its journal is rewritten', async () => {
  using dir = tempDir();
  const { strand, running, upkeep } = await setUp(dir.path);
  const pass = upkeep.run();
  let kept = 0;
  for (let round = 0; round < 2000 && kept === 0; round += 1) {
    if (running.get(strand) !== undefined) kept += 1;
    await new Promise(setImmediate);
  }
  expect(await pass).toMatchObject({ expired: 1 });
  expect(kept).toBe(1);
  expect(running.get(strand)).toBeUndefined();
});

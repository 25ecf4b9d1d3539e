/**
 * Keeps the snapshots within what the user allows: by age, by bytes, and what nobody needs any more. One process at a
 * time; nothing that is in use is touched, and what goes by itself waits in the trash first.
 */
import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import type { StoreCleanup, StoreUsage } from '@skein/core/protocol/store';
import { bytesIn } from '../../platform/disk-usage.ts';
import { makePrivateDir } from '../../platform/files.ts';
import type { Git } from '../../platform/git.ts';
import { takeLock } from '../../platform/lock.ts';
import { emptyTrash } from '../../platform/trash.ts';
import { collectGarbage, releaseOldest, releaseStrand } from '../trees/upkeep.ts';
import { journalsIn, type KeptJournal, letGoOfJournal, listJournals, turnsIn } from './journals.ts';
import { evictGone, type KeptStore, listStores, removeStore } from './stores.ts';
import { blobsIn, sweepBlobs } from './sweep-blobs.ts';
import type { UpkeepDeps } from './upkeep-deps.ts';

export interface Upkeep {
  /** Fault `io`. */
  usage(): Promise<StoreUsage>;
  /** Faults: `busy` (another upkeep runs), `io`. */
  clean(): Promise<StoreCleanup>;
  /** Everything, or one store. Faults: `busy` (a session is in use), `not_found`, `io`. */
  purge(key: string | undefined): Promise<StoreCleanup>;
}

const DAY_MS = 24 * 3600_000;
const TRASH_MS = 7 * DAY_MS;
const BLOB_GRACE_MS = 3600_000;

export const createUpkeep = (deps: UpkeepDeps): Upkeep => ({
  usage: () => usageOf(deps),
  clean: () => locked(deps, () => measured(deps, () => clean(deps))),
  purge: (key) =>
    locked(deps, () => measured(deps, () => (key === undefined ? purgeAll(deps) : purgeOne(deps, key)))),
});

const usageOf = async (deps: UpkeepDeps): Promise<StoreUsage> => {
  const stores = await listStores(deps);
  const { retentionDays, maxBytes } = await deps.policy();
  const [blobs, journals, trash] = [
    await bytesIn(blobsIn(deps.dataDir)),
    await bytesIn(journalsIn(deps.dataDir)),
    await bytesIn(join(deps.dataDir, 'trash')),
  ];
  return {
    stores: stores.map(({ dir, workspace, kind, bytes, turns, usedMs, gone }) => ({
      ...{ key: dir.key, workspace, kind, bytes, turns, gone },
      lastUsedAt: usedMs === null ? null : new Date(usedMs).toISOString(),
    })),
    ...{ blobs, journals, trash, retentionDays, maxBytes },
    total: stores.reduce((sum, { bytes }) => sum + bytes, blobs + journals + trash),
  };
};

const locked = async <T>(deps: UpkeepDeps, task: () => Promise<T>): Promise<T> => {
  const folder = join(deps.dataDir, 'state', 'locks');
  await makePrivateDir(folder);
  const outcome = takeLock(join(folder, 'upkeep.lock'), { process: deps.process, purpose: 'upkeep' });
  if (outcome.kind === 'held')
    throw new BridgeError(
      'busy',
      'The snapshots are being cleaned up already. Try again when that is done.',
      {
        data: { holder: outcome.holder },
      },
    );
  try {
    return await task();
  } finally {
    outcome.lock.release();
  }
};

/** What the data directory holds less afterwards; what waits in the trash still lies there. */
const measured = async (deps: UpkeepDeps, task: () => Promise<number>): Promise<StoreCleanup> => {
  const total = (): Promise<number> => bytesIn(join(deps.dataDir, 'snapshots'));
  const before = await total();
  const expired = await task();
  return { freed: Math.max(0, before - (await total())), expired };
};

const clean = async (deps: UpkeepDeps): Promise<number> => {
  const expired = await expire(deps);
  await sweepBlobs(deps.dataDir, { nowMs: deps.nowMs(), graceMs: BLOB_GRACE_MS });
  for (const store of await listStores(deps)) {
    if (await evictGone(deps, store)) continue;
    if (deps.git === null) continue;
    await keepWithin(deps, deps.git, store);
    await collectGarbage(deps.git, store.dir, deps.nowMs());
  }
  await emptyTrash(join(deps.dataDir, 'trash'), TRASH_MS, deps.nowMs());
  return expired;
};

/** A store over the limit lets its oldest turns go, as many as the excess is a part of it. */
const keepWithin = async (deps: UpkeepDeps, git: Git, { dir, bytes }: KeptStore): Promise<void> => {
  const { maxBytes } = await deps.policy();
  if (bytes > maxBytes) await releaseOldest(git, dir, 1 - maxBytes / bytes);
};

/** By age, then by bytes, the session that was not used for longest first. */
const expire = async (deps: UpkeepDeps): Promise<number> => {
  const { retentionDays, maxBytes } = await deps.policy();
  const oldest = retentionDays === 'forever' ? 0 : deps.nowMs() - retentionDays * DAY_MS;
  let expired = 0;
  let held = await bytesIn(blobsIn(deps.dataDir));
  for (const journal of await listJournals(deps)) {
    const isOld = journal.usedMs < oldest;
    if (!isOld && held <= maxBytes) continue;
    expired += await letGo(deps, journal, 'trash');
    if (isOld || held <= maxBytes) continue;
    await sweepBlobs(deps.dataDir, { nowMs: deps.nowMs(), graceMs: BLOB_GRACE_MS });
    held = await bytesIn(blobsIn(deps.dataDir));
  }
  return expired;
};

/** The turns that cannot be undone afterwards. */
const letGo = async (deps: UpkeepDeps, journal: KeptJournal, how: 'trash' | 'delete'): Promise<number> => {
  const turns = await turnsIn(journal.path);
  if (!(await letGoOfJournal(deps, journal, how))) return 0;
  if (deps.git !== null) {
    for (const { dir } of await listStores(deps)) await releaseStrand(deps.git, dir, journal.strand);
  }
  return turns;
};

const purgeAll = async (deps: UpkeepDeps): Promise<number> => {
  const journals = await listJournals(deps);
  await mustBeIdle(deps, journals);
  let expired = 0;
  for (const journal of journals) expired += await letGo(deps, journal, 'delete');
  await sweepBlobs(deps.dataDir, { nowMs: deps.nowMs(), graceMs: 0 });
  for (const store of await listStores(deps)) await removeStore(deps, store);
  await emptyTrash(join(deps.dataDir, 'trash'), 0, deps.nowMs());
  return expired;
};

const purgeOne = async (deps: UpkeepDeps, key: string): Promise<number> => {
  const store = (await listStores(deps)).find(({ dir }: KeptStore) => dir.key === key);
  if (store === undefined)
    throw new BridgeError('not_found', 'There is no such store of snapshots.', { data: { key } });
  await mustBeIdle(deps, await listJournals(deps));
  await removeStore(deps, store);
  return store.turns;
};

const mustBeIdle = async (deps: UpkeepDeps, journals: readonly KeptJournal[]): Promise<void> => {
  for (const { strand } of journals) {
    if (await deps.isInUse(strand))
      throw new BridgeError(
        'busy',
        `Session ${strand.slice(0, 8)} is at work. Nothing was deleted; try again when it is done.`,
        {
          data: { holder: 'turn', strand },
        },
      );
  }
};

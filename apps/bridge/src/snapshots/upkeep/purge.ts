/**
 * Gives back everything, or one store, at once and for good: the way to get rid of a secret that was in a file. What a
 * session in use needs stays, and what it may be saving at this moment.
 */

import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import type { StoreCleanup } from '@skein/core/protocol/store';
import { statIfThere } from '../../platform/files.ts';
import { removeTree } from '../../platform/trash.ts';
import { emptyOldTrash, sweepContents } from './clear-up.ts';
import { turnsInStores } from './journals.ts';
import { createRetirement, type Retire } from './retire.ts';
import { journalsIn, surveyJournals } from './survey.ts';
import type { TreeStore, UpkeepDeps } from './types.ts';

/** Clocks of file systems lag behind by a few milliseconds. */
const CLOCK_SLACK_MS = 1000;

export const purge = async (deps: UpkeepDeps, key: string | undefined): Promise<StoreCleanup> => {
  const all = await deps.trees.list();
  const stores = key === undefined ? all : all.filter((store) => store.key === key);
  if (key !== undefined && stores.length === 0)
    throw new BridgeError('not_found', 'There is no such store; "skein store du" lists them.', {
      data: { key },
    });
  // Asked after the time was taken: who begins to save later makes what it saves younger than that.
  const startMs = deps.clock.nowMs() - CLOCK_SLACK_MS;
  const isQuiet = !(await deps.anyInUse());
  const { retire, retired } = createRetirement(deps);
  await retireTurns(deps, retire, key);
  let freed = 0;
  for (const store of stores) freed += await removeStore(deps, store, isQuiet);
  // Without git the lines of a store can go only now that it is gone.
  await retireTurns(deps, retire, key);
  if (key === undefined) {
    await removeOrphans(deps);
    await emptyOldTrash(deps, 0);
  }
  freed += (await sweepContents(deps, { beforeMs: isQuiet ? startMs : undefined })).bytes;
  return { freed, expired: retired().turns, inUse: retired().inUse };
};

async function retireTurns(deps: UpkeepDeps, retire: Retire, key: string | undefined): Promise<void> {
  const shared = { reason: 'purged', days: null } as const;
  for (const { strand, entries } of await surveyJournals(deps)) {
    const turns = key === undefined ? null : (turnsInStores(entries).get(key) ?? new Set());
    const isNothing = turns === null ? entries.every(({ kind }) => kind === 'expired') : turns.size === 0;
    if (!isNothing) await retire({ strand, ids: turns ?? 'all', ...shared });
  }
}

/** Whole, unless somebody is at work or a turn that had to stay needs it. Returns bytes. */
async function removeStore(deps: UpkeepDeps, { key, bytes }: TreeStore, isQuiet: boolean): Promise<number> {
  const isNeeded = (await surveyJournals(deps)).some(({ entries }) => turnsInStores(entries).has(key));
  if (isQuiet && (!isNeeded || !(await deps.trees.mayRelease(key)))) {
    await deps.trees.remove(key);
    return bytes;
  }
  await deps.trees.gc(key);
  const after = (await deps.trees.list()).find((store) => store.key === key)?.bytes ?? 0;
  return Math.max(0, bytes - after);
}

/** Journals whose session is gone, those with something open excepted. */
async function removeOrphans(deps: UpkeepDeps): Promise<void> {
  for (const { strand, path, session } of await surveyJournals(deps)) {
    if (session !== 'gone') continue;
    await deps.withLease(strand, async () => {
      const isOpen = (await statIfThere(join(journalsIn(deps), `${strand}.open`))) !== null;
      if (!isOpen) await removeTree(path);
    });
  }
}

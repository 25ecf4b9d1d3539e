/** Upkeep of everything under `snapshots/`: one at a time, whichever process asks for it. */
import { join } from 'node:path';
import { BridgeError } from '@skein/core/protocol/errors';
import { makePrivateDir } from '../../platform/files.ts';
import { takeLock } from '../../platform/lock.ts';
import { emptyOldTrash, retireOrphans, sweepContents } from './clear-up.ts';
import { purge } from './purge.ts';
import { createRetirement, retireExcess, retireOld } from './retire.ts';
import { trimStores } from './retire-stores.ts';
import { surveyJournals } from './survey.ts';
import type { Upkeep, UpkeepDeps } from './types.ts';
import { storeUsage } from './usage.ts';

/** Touches no file before it is asked to. */
export const createUpkeep = (deps: UpkeepDeps): Upkeep => ({
  usage: () => storeUsage(deps),
  run: (signal) => underLock(deps, () => run(deps, signal)),
  purge: ({ key }) => underLock(deps, () => purge(deps, key)),
});

const run = async (deps: UpkeepDeps, signal?: AbortSignal): ReturnType<Upkeep['run']> => {
  const limits = await deps.limits();
  const { retire, retired } = createRetirement(deps);
  const changed = new Set<string>();
  let freed = 0;
  const steps: readonly (() => Promise<void>)[] = [
    async () => void (await emptyOldTrash(deps)),
    async () => {
      const journals = await surveyJournals(deps);
      for (const key of await retireOrphans(deps, { journals, limits })) changed.add(key);
      await retireOld(deps, retire, { journals, limits });
    },
    async () => retireExcess(deps, retire, { journals: await surveyJournals(deps), limits }),
    async () => {
      freed += (await sweepContents(deps, { signal })).bytes;
    },
    async () => {
      freed += await deps.trees.sweepTemps();
    },
    async () => {
      for (const key of retired().stores) changed.add(key);
      freed += await trimStores(deps, retire, { limits, changed });
    },
  ];
  for (const step of steps) {
    if (signal?.aborted === true) break;
    await step();
  }
  return { freed, expired: retired().turns, inUse: retired().inUse };
};

/** Fault `busy` at once: whoever waits would do the same work a second time. */
const underLock = async <T>(deps: UpkeepDeps, work: () => Promise<T>): Promise<T> => {
  const locks = join(deps.dataDir, 'state', 'locks');
  await makePrivateDir(locks);
  const outcome = takeLock(join(locks, 'upkeep.lock'), { process: deps.process, purpose: 'upkeep' });
  if (outcome.kind === 'held') {
    throw new BridgeError('busy', `Saved versions are being cleared up by ${outcome.holder}.`, {
      data: { holder: outcome.holder },
    });
  }
  try {
    return await work();
  } finally {
    outcome.lock.release();
  }
};

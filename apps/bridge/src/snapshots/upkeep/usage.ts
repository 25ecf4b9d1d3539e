/** What saved versions cost on disk. */
import type { StoreUsage } from '@skein/core/protocol/store';
import { bytesBelow } from '../../platform/disk-space.ts';
import { turnsInStores } from './journals.ts';
import { blobsIn, journalsIn, surveyJournals, trashIn } from './survey.ts';
import type { UpkeepDeps } from './types.ts';

/** Fault `io`. */
export const storeUsage = async (deps: UpkeepDeps): Promise<StoreUsage> => {
  const turns = new Map<string, number>();
  for (const { entries } of await surveyJournals(deps)) {
    for (const [key, of] of turnsInStores(entries)) turns.set(key, (turns.get(key) ?? 0) + of.size);
  }
  const stores = (await deps.trees.list()).map(({ key, workspace, kind, bytes, gone, lastUsedAtMs }) => {
    const lastUsedAt = lastUsedAtMs > 0 ? new Date(lastUsedAtMs).toISOString() : null;
    return { key, workspace, kind, bytes, turns: turns.get(key) ?? 0, lastUsedAt, gone };
  });
  const [blobs, journals, trash] = [
    await bytesBelow(blobsIn(deps)),
    await bytesBelow(journalsIn(deps)),
    await bytesBelow(trashIn(deps)),
  ];
  const { retentionDays, maxBytes } = await deps.limits();
  const total = stores.reduce((sum, { bytes }) => sum + bytes, blobs + journals + trash);
  stores.sort((a, b) => b.bytes - a.bytes);
  return { stores, blobs, journals, trash, total, retentionDays, maxBytes };
};

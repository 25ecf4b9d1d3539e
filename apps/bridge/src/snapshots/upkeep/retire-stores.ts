/** Tree stores over their limit give up their oldest turns, a part at a time, as long as that helps. */
import type { RetentionLimits, SavedPart } from '@skein/core/restore/retention';
import { partsOfJournal, turnsInStores } from './journals.ts';
import { type Retire, retireParts } from './retire.ts';
import { surveyJournals } from './survey.ts';
import type { TreeStore, UpkeepDeps } from './types.ts';

/** What one turn holds alone cannot be told without trying. */
const ROUNDS = 6;
const SHARE = 0.25;

/** Returns how many bytes came free. Faults of one store are reported; the others are seen to. */
export const trimStores = async (
  deps: UpkeepDeps,
  retire: Retire,
  { limits, changed }: { readonly limits: RetentionLimits; readonly changed: ReadonlySet<string> },
): Promise<number> => {
  let freed = 0;
  for (const store of await deps.trees.list()) {
    try {
      freed += await trimStore(deps, retire, { store, limits, isChanged: changed.has(store.key) });
    } catch (error) {
      deps.onFault(error);
    }
  }
  return freed;
};

async function trimStore(
  deps: UpkeepDeps,
  retire: Retire,
  step: { readonly store: TreeStore; readonly limits: RetentionLimits; readonly isChanged: boolean },
): Promise<number> {
  const { key, bytes } = step.store;
  const { maxBytes, retentionDays } = step.limits;
  if (retentionDays !== 'forever' && (await deps.trees.evict(key))) return 0;
  if (step.isChanged || bytes > maxBytes) await deps.trees.gc(key);
  let now = await sizeOf(deps, key);
  for (let round = 0; round < ROUNDS && now > maxBytes; round += 1) {
    const parts = await partsIn(deps, key);
    if (parts.length === 0) break;
    await retireParts(retire, parts.slice(0, Math.ceil(parts.length * SHARE)), 'size');
    await deps.trees.gc(key);
    const after = await sizeOf(deps, key);
    // What is younger than the grace of a gc does not go: giving up more turns would not help.
    if (after >= now) break;
    now = after;
  }
  return Math.max(0, bytes - now);
}

async function sizeOf(deps: UpkeepDeps, key: string): Promise<number> {
  return (await deps.trees.list()).find((store) => store.key === key)?.bytes ?? 0;
}

/** Turns with contents in that store, oldest first. */
async function partsIn(deps: UpkeepDeps, key: string): Promise<readonly SavedPart[]> {
  const parts: SavedPart[] = [];
  for (const { strand, entries } of await surveyJournals(deps)) {
    const turns: ReadonlySet<string> = turnsInStores(entries).get(key) ?? new Set();
    parts.push(...partsOfJournal(strand, entries).filter(({ id }) => turns.has(id)));
  }
  return parts.toSorted((a, b) => a.atMs - b.atMs);
}

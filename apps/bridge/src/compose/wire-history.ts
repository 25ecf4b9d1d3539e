/** Sessions of other agents, wired: beside strands where both are read alike. */

import { release } from 'node:os';
import { isAbsolute } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BridgeError } from '@skein/core/protocol/errors';
import type { HistoryPlaces, historyPlaceInputSchema } from '@skein/core/protocol/history';
import type { StrandId } from '@skein/core/record/ids';
import type { z } from 'zod';
import type { Flows } from '../api/flows.ts';
import { createContinueHistory } from '../flows/continue-history.ts';
import { createListHistory } from '../flows/list-history.ts';
import { createOpenHistory } from '../flows/open-history.ts';
import { createUseVault } from '../flows/use-vault.ts';
import { repoSnapshot } from '../platform/git-repo.ts';
import { realPathIfThere } from '../platform/paths.ts';
import { realFolder } from './folders.ts';
import type { Parts } from './parts.ts';

/** Between two looks at a file that somebody reads along. */
const FOLLOW_MS = 1000;

const pause = async (signal: AbortSignal): Promise<void> => {
  try {
    await sleep(FOLLOW_MS, undefined, { signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};

export const openForeign = ({ history }: Parts) => createOpenHistory({ history, pause });

/** True for a session of another agent. Our own come first: their ids are never asked for elsewhere. */
export const isForeign =
  ({ store, history }: Parts) =>
  async (id: StrandId): Promise<boolean> =>
    (await store.locate(id)) === null && (await history.has(id));

export const wireHistory = (parts: Parts): Flows['history'] => {
  const { announcements, history, pool, settings, store } = parts;
  const foreign = openForeign(parts);
  const places = async (): Promise<HistoryPlaces> => ({ places: [...(await history.places())] });
  const vault = createUseVault({
    history,
    isOn: async () => (await settings.config()).config.history?.vault === true,
    async turn(on) {
      await settings.edit(({ history: now }) => ({ history: { ...now, vault: on } }));
    },
  });
  return {
    list: createListHistory({
      history,
      realPath: async (path) => (await realPathIfThere(path)) ?? path,
    }),
    open: foreign.detail,
    continue: createContinueHistory({
      foreignState: foreign.state,
      store,
      pool,
      realFolder,
      async repoSnapshot(cwd) {
        const repo = await repoSnapshot(parts.git, cwd);
        return repo === null ? null : { ...repo, dirty: [...repo.dirty] };
      },
      versions: {
        skein: parts.environment.version,
        node: process.versions.node,
        os: `${process.platform} ${release()}`,
      },
      defaultAgent: async () => (await settings.config()).config.agent ?? 'loop',
      knowsAgent: (agent) => parts.drivers.some(({ name }) => name === agent),
      announce: announcements.strand,
      summary: announcements.summary,
    }),
    places,
    async addPlace(place) {
      mustBeAbsolute(place.dir);
      await settings.edit(({ history: now }) => ({
        history: { ...now, places: [...withoutPlace(now?.places, place), place] },
      }));
      return places();
    },
    async removePlace(place) {
      await settings.edit(({ history: now }) => ({
        history: { ...now, places: withoutPlace(now?.places, place) },
      }));
      return places();
    },
    vault: vault.status,
    setVault: vault.set,
    restoreFromVault: vault.restore,
  };
};

type NamedPlace = z.infer<typeof historyPlaceInputSchema>;

const withoutPlace = (places: readonly NamedPlace[] | undefined, place: NamedPlace): NamedPlace[] =>
  (places ?? []).filter(({ agent, dir }) => agent !== place.agent || dir !== place.dir);

const mustBeAbsolute = (dir: string): void => {
  if (!isAbsolute(dir))
    throw new BridgeError('invalid_input', `This is no absolute path: ${dir}`, { data: { path: dir } });
};

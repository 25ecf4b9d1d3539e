/** Which tools' sessions are read, and where those tools keep them. */
import { placesOf } from '@skein/core/import/places';
import type { ForeignAgent } from '@skein/core/import/reader';
import type { Environment } from '../config.ts';
import type { HistoryPlace } from '../history/types.ts';
import type { SettingsStore } from '../settings/settings.ts';

/** The tools' own places, then those that the user named; of agents that have a reader. */
export const historyPlaces =
  (environment: Environment, settings: Pick<SettingsStore, 'config'>, agents: ReadonlySet<ForeignAgent>) =>
  async (): Promise<readonly HistoryPlace[]> => {
    const { config } = await settings.config();
    const added = (config.history?.places ?? []).map((place): HistoryPlace => ({ ...place, from: 'added' }));
    return [...defaultPlaces(environment), ...added].filter(({ agent }) => agents.has(agent));
  };

const defaultPlaces = ({ paths, inherited }: Environment): readonly HistoryPlace[] =>
  placesOf({ env: inherited, home: paths.home }).map((place) => ({ ...place, from: 'found' }));

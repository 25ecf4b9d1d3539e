/** Which tools' sessions are read, and where those tools keep them. */
import { join } from 'node:path';
import type { ForeignAgent } from '@skein/core/import/reader';
import type { Environment } from '../config.ts';
import type { AnyReader, HistoryPlace } from '../history/types.ts';
import type { SettingsStore } from '../settings/settings.ts';

/** Readers by agent. Without one the files of an agent are not looked at. */
export const historyReaders: ReadonlyMap<ForeignAgent, AnyReader> = new Map();

/** The tools' own places, then those that the user named; of agents that have a reader. */
export const historyPlaces =
  (environment: Environment, settings: Pick<SettingsStore, 'config'>, agents: ReadonlySet<ForeignAgent>) =>
  async (): Promise<readonly HistoryPlace[]> => {
    const { config } = await settings.config();
    const added = (config.history?.places ?? []).map((place): HistoryPlace => ({ ...place, from: 'added' }));
    return [...defaultPlaces(environment), ...added].filter(({ agent }) => agents.has(agent));
  };

/** By each tool's own variables, else below the home folder (a relative value counts as absent). */
const defaultPlaces = ({ paths, inherited }: Environment): readonly HistoryPlace[] => {
  const get = (name: string, ...otherwise: string[]): string => {
    const value = inherited[name];
    return value?.startsWith('/') === true ? value : join(paths.home, ...otherwise);
  };
  const at = (agent: ForeignAgent, dir: string): HistoryPlace => ({ agent, dir, from: 'found' });
  return [
    at('claude-code', join(get('CLAUDE_CONFIG_DIR', '.claude'), 'projects')),
    at('codex', join(get('CODEX_HOME', '.codex'), 'sessions')),
    at('codex', join(get('CODEX_HOME', '.codex'), 'archived_sessions')),
    at('gemini', join(get('GEMINI_CLI_HOME'), '.gemini', 'tmp')),
    at('opencode', join(get('XDG_DATA_HOME', '.local', 'share'), 'opencode')),
    at('pi', join(get('PI_CODING_AGENT_DIR', '.pi', 'agent'), 'sessions')),
    at('omp', join(paths.home, '.omp', 'agent', 'sessions')),
    at('copilot', join(get('COPILOT_HOME', '.copilot'), 'session-state')),
  ];
};

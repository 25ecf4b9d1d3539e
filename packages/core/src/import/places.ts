/** Where each tool keeps its sessions, by its own variables, else at its own place (corpus FORMATS). */
import type { ForeignAgent } from './reader.ts';

export interface ToolPlace {
  readonly agent: ForeignAgent;
  readonly dir: string;
}

export interface Machine {
  /** A variable that is not set, or empty, or no absolute path, counts as absent. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export const placesOf = ({ env, home }: Machine): readonly ToolPlace[] => {
  const at = (agent: ForeignAgent, ...names: readonly string[]): ToolPlace => ({
    agent,
    dir: names.join('/'),
  });
  const from = (variable: string, ...otherwise: readonly string[]): string => {
    const value = env[variable];
    return value !== undefined && /^(\/|[A-Za-z]:[\\/])/.test(value) ? value : [home, ...otherwise].join('/');
  };
  const pi = env['PI_CODING_AGENT_SESSION_DIR'];
  return [
    at('claude-code', from('CLAUDE_CONFIG_DIR', '.claude'), 'projects'),
    at('codex', from('CODEX_HOME', '.codex'), 'sessions'),
    at('codex', from('CODEX_HOME', '.codex'), 'archived_sessions'),
    at('gemini', from('GEMINI_CLI_HOME'), '.gemini', 'tmp'),
    at('opencode', from('XDG_DATA_HOME', '.local', 'share'), 'opencode'),
    pi?.startsWith('/') === true
      ? at('pi', pi)
      : at('pi', from('PI_CODING_AGENT_DIR', '.pi', 'agent'), 'sessions'),
    at('omp', home, '.omp', 'agent', 'sessions'),
    at('copilot', from('COPILOT_HOME', '.copilot'), 'session-state'),
  ];
};

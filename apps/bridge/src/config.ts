/**
 * The only reader of the process environment: everything the bridge takes from it, as plain data. Decides
 * nothing; `main.ts` passes the parts on. An empty variable counts as absent.
 */
import { homedir } from 'node:os';
import { SKEIN_VERSION } from '@skein/core/protocol/version';

/** Where directories may lie; `platform/paths.ts` decides. */
export interface PathInputs {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly skeinDataDir: string | undefined;
  readonly skeinConfigDir: string | undefined;
  readonly xdgDataHome: string | undefined;
  readonly xdgConfigHome: string | undefined;
  readonly localAppData: string | undefined;
}

/** What the environment says of one provider. */
export interface ProviderEnvironment {
  readonly key: string | undefined;
  readonly baseUrl: string | undefined;
}

export interface Environment {
  readonly paths: PathInputs;
  /** By provider id. */
  readonly providers: Readonly<Record<'anthropic' | 'openai' | 'google', ProviderEnvironment>>;
  readonly path: string | undefined;
  readonly shell: string | undefined;
  /** `VISUAL`, else `EDITOR`: a command line of the user's, never given to a shell. */
  readonly editor: string | undefined;
  /** Names this terminal window or pane, null when nothing does; a tty name may stand in for it. */
  readonly terminal: string | null;
  readonly noColor: boolean;
  readonly forceColor: boolean;
  readonly ci: boolean;
  /** A remote shell or no display: a browser cannot be opened. */
  readonly remote: boolean;
  readonly display: boolean;
  readonly logLevel: string | undefined;
  readonly agent: string | undefined;
  readonly model: string | undefined;
  /** Name of the step at which a crash test ends the process (docs/failpoints.md). */
  readonly failpoint: string | undefined;
  readonly version: string;
  /** The whole environment, for children that the user's own commands start. */
  readonly inherited: Readonly<Record<string, string>>;
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** In the order of trust: a multiplexer's pane is more precise than the window around it. */
const TERMINAL_VARIABLES = [
  'SKEIN_TERMINAL',
  'TMUX_PANE',
  'ZELLIJ_PANE_ID',
  'WEZTERM_PANE',
  'KITTY_WINDOW_ID',
  'TERM_SESSION_ID',
  'ITERM_SESSION_ID',
  'WT_SESSION',
  'VSCODE_TERMINAL_ID',
  'STY',
] as const;

/** Pure: the same variables give the same answer. */
export const readEnvironment = (
  env: EnvironmentVariables,
  system: { readonly platform: NodeJS.Platform; readonly home: string; readonly version: string },
): Environment => {
  const get = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const has = (name: string): boolean => get(name) !== undefined;
  return {
    paths: {
      platform: system.platform,
      home: system.home,
      skeinDataDir: get('SKEIN_DATA_DIR'),
      skeinConfigDir: get('SKEIN_CONFIG_DIR'),
      xdgDataHome: get('XDG_DATA_HOME'),
      xdgConfigHome: get('XDG_CONFIG_HOME'),
      localAppData: get('LOCALAPPDATA'),
    },
    providers: {
      anthropic: { key: get('ANTHROPIC_API_KEY'), baseUrl: get('ANTHROPIC_BASE_URL') },
      openai: { key: get('OPENAI_API_KEY'), baseUrl: get('OPENAI_BASE_URL') },
      google: {
        key: get('GOOGLE_GENERATIVE_AI_API_KEY') ?? get('GEMINI_API_KEY'),
        baseUrl: get('GOOGLE_GEMINI_BASE_URL'),
      },
    },
    path: get('PATH') ?? get('Path'),
    shell: get('SHELL'),
    editor: get('VISUAL') ?? get('EDITOR'),
    terminal: terminalOf(get),
    noColor: has('NO_COLOR'),
    forceColor: has('FORCE_COLOR') && get('FORCE_COLOR') !== '0',
    ci: has('CI') && get('CI') !== 'false',
    remote: has('SSH_CONNECTION') || has('SSH_TTY'),
    display: system.platform !== 'linux' || has('DISPLAY') || has('WAYLAND_DISPLAY'),
    logLevel: get('SKEIN_LOG'),
    agent: get('SKEIN_AGENT'),
    model: get('SKEIN_MODEL'),
    failpoint: get('SKEIN_FAILPOINT'),
    version: system.version,
    inherited: definedOnly(env),
  };
};

/** The environment of this very process. */
export const readProcessEnvironment = (): Environment =>
  readEnvironment(process.env, {
    platform: process.platform,
    home: homedir(),
    // Set by the build; a run from source has none.
    version: process.env.SKEIN_BUILD_VERSION ?? SKEIN_VERSION,
  });

const terminalOf = (get: (name: string) => string | undefined): string | null => {
  for (const name of TERMINAL_VARIABLES) {
    const value = get(name);
    if (value === undefined) continue;
    // A tmux pane is numbered within its server only.
    const server = name === 'TMUX_PANE' ? (get('TMUX')?.split(',').slice(0, 2).join(',') ?? '') : '';
    return `${name.toLowerCase()}:${server}${server === '' ? '' : ':'}${value}`;
  }
  return null;
};

const definedOnly = (env: EnvironmentVariables): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );

/**
 * What the CLI needs from outside: a terminal, a way to the bridge, a clock. `main.ts` wires it; tests hand in
 * plain objects. The CLI itself reads no file, no environment and no clock.
 */

import type { StrandId } from '@skein/core/record/ids';
import type { TRPCClient } from '@trpc/client';
import type { AppRouter } from '../api/router.ts';

export type ApiClient = TRPCClient<AppRouter>;

/** One way to the API. `close` ends sockets or, in process, releases locks; call it exactly once. */
export interface Connection {
  readonly client: ApiClient;
  close(): Promise<void>;
}

export interface CliEnvironment {
  readonly cwd: string;
  readonly stdinIsTty: boolean;
  readonly stdoutIsTty: boolean;
  readonly stderrIsTty: boolean;
  /** Width of the terminal; null when there is none. */
  readonly columns: number | null;
  /** What NO_COLOR and FORCE_COLOR say; null: nothing, so colours go with a terminal. */
  readonly color: boolean | null;
  /** Names this terminal window or pane; null when nothing does. */
  readonly terminal: string | null;
  readonly dataDir: string;
  /** The user's login shell, as in SHELL. */
  readonly shell: string | null;
  /** Name of the default agent, when the environment sets one. */
  readonly agent: string | null;
}

export interface RunningBridge {
  /** Origin without a trailing slash. */
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  readonly version: string;
  readonly protocol: number;
}

export interface StartedBridge {
  readonly url: string;
  /** With a fresh one-time code in the fragment. */
  readonly openingLink: string;
  readonly pid: number;
  /** Resolves when the bridge has stopped, by a signal or by `system.stop`. */
  readonly done: Promise<void>;
}

export interface InputPort {
  /** Everything up to the end of the stream, as UTF-8. */
  readAll(): Promise<string>;
}

export interface OutputPort {
  write(text: string | Uint8Array): void;
}

export interface CliDeps {
  /** Without the interpreter and the script. */
  readonly argv: readonly string[];
  readonly env: CliEnvironment;
  readonly stdin: InputPort;
  readonly stdout: OutputPort;
  readonly stderr: OutputPort;
  /**
   * Writes the question to the terminal and reads one line; null at its end or when `signal` aborts. Ctrl-C
   * while it waits calls the interrupt handler and answers null.
   */
  ask(question: string, signal: AbortSignal): Promise<string | null>;
  /** While the handler is registered, Ctrl-C and a TERM call it instead of ending the process. Returns the removal. */
  onInterrupt(handler: () => void): () => void;
  nowMs(): number;
  /** The bridge of this data directory, when it runs and proved to be it; any version. */
  findRunning(): Promise<RunningBridge | null>;
  openInProcess(): Promise<Connection>;
  /** Resolves when it listens. Faults: `held` when another bridge has the data directory. */
  startBridge(options: { readonly port: number | undefined }): Promise<StartedBridge>;
  /** False when no browser could be started. */
  openBrowser(url: string): Promise<boolean>;
  /** This terminal was last in that session; `-c` and commands without S go there. */
  saveWaypoint(strand: StrandId): Promise<void>;
  /** Keeps the details of a fault that nobody foresaw; the user sees one sentence. */
  logFault(error: unknown): void;
  readonly version: string;
}

/**
 * The driver port: how Skein talks to any agent. A driver turns one prompt into a stream of events and
 * nothing else; it appends no record and owns no file. Every driver passes `test/agents/driver-contract.ts`.
 */
import type { PermissionMode, ProviderConfig } from '@skein/core/config/personal';
import type { AgentCapabilities, AgentInfo } from '@skein/core/protocol/agents';
import type { StrandId, TurnId } from '@skein/core/record/ids';
import type { ContextMessage } from '@skein/core/strand/context';
import type { AgentEvent } from '@skein/core/turn/agent-event';
import type { PermissionGate, ProcessHost, WriteGate } from './ports.ts';

export interface AgentDriver {
  readonly name: string;
  readonly capabilities: AgentCapabilities;
  /** What the pickers show; asks no network. */
  info(): Promise<AgentInfo>;
  /** Faults: `no_provider` when there is no key or endpoint, `missing_program`. */
  start(session: AgentSessionOptions): Promise<AgentSession>;
}

export interface AgentSessionOptions {
  readonly strand: StrandId;
  /** Real path of the folder the agent works in. */
  readonly cwd: string;
  /** Real path of the workspace root: git top level, else cwd. */
  readonly root: string;
}

export interface AgentSession {
  /**
   * Runs one turn. Yields events in order, `end` last and exactly once; never throws after the first event.
   * When `signal` aborts: partial text is kept, open calls get an `interrupted` result, then `end`.
   */
  prompt(turn: AgentTurn): AsyncIterable<AgentEvent>;
  close(): Promise<void>;
}

export interface AgentTurn {
  readonly turn: TurnId;
  /** Everything the model may see, the new prompt last. Spilled content is resolved through `readSpill`. */
  readonly context: readonly ContextMessage[];
  readonly readSpill: (sha256: string) => Promise<Uint8Array>;
  /** `provider/model`, or null for the agent's default. */
  readonly model: string | null;
  readonly mode: PermissionMode;
  readonly signal: AbortSignal;
  /** Messages the user sent since the last call; taken between two steps. */
  readonly takeSteers: () => readonly { id: string; text: string }[];
  readonly gate: WriteGate;
  readonly permissions: PermissionGate;
  readonly processes: ProcessHost;
  readonly limits: {
    readonly steps: number;
    readonly costUsd: number | null;
    readonly shellTimeoutMs: number;
  };
}

/** A provider with its key, as the settings folder resolves it; the key stays inside the bridge. */
export interface ResolvedProvider {
  readonly id: string;
  readonly config: ProviderConfig;
  readonly apiKey: string | null;
  readonly models: readonly string[];
}
